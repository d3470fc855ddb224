"""The types of the browser table's modules, checked by TypeScript's compiler."""
