"""Games in the browser: the rules, the words and the bots of all games as modules of JavaScript."""
