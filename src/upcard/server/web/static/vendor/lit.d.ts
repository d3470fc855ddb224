// What we use of Lit, for tsc. The module itself is lit.js, bundled from npm's lit.

export interface TemplateResult {
  strings: TemplateStringsArray;
}
export type Part = unknown;
export const nothing: unique symbol;
export const noChange: unique symbol;
export function html(strings: TemplateStringsArray, ...values: unknown[]): TemplateResult;
export function svg(strings: TemplateStringsArray, ...values: unknown[]): TemplateResult;
export function css(strings: TemplateStringsArray, ...values: unknown[]): object;
export function render(value: unknown, container: HTMLElement | DocumentFragment, options?: object): unknown;

export interface PropertyDeclaration {
  attribute?: boolean | string;
  reflect?: boolean;
  state?: boolean;
  type?: unknown;
  hasChanged?(value: any, old: any): boolean;
}
export class LitElement extends HTMLElement {
  static properties: Record<string, PropertyDeclaration>;
  static styles?: unknown;
  readonly updateComplete: Promise<boolean>;
  readonly hasUpdated: boolean;
  readonly isUpdatePending: boolean;
  connectedCallback(): void;
  disconnectedCallback(): void;
  requestUpdate(name?: PropertyKey, old?: unknown): void;
  protected scheduleUpdate(): void | Promise<unknown>;
  protected createRenderRoot(): HTMLElement | DocumentFragment;
  protected render(): unknown;
  protected shouldUpdate(changed: Map<PropertyKey, unknown>): boolean;
  protected willUpdate(changed: Map<PropertyKey, unknown>): void;
  protected update(changed: Map<PropertyKey, unknown>): void;
  protected firstUpdated(changed: Map<PropertyKey, unknown>): void;
  protected updated(changed: Map<PropertyKey, unknown>): void;
}

export function repeat<T>(
  items: Iterable<T>,
  key: (item: T, index: number) => unknown,
  template: (item: T, index: number) => unknown,
): unknown;
export function classMap(classes: Record<string, boolean | number | string>): unknown;
export function styleMap(styles: Record<string, string | number | undefined | null>): unknown;
export function live(value: unknown): unknown;
export function ifDefined<T>(value: T): unknown;
export function guard(dependencies: unknown[], value: () => unknown): unknown;
export function keyed(key: unknown, value: unknown): unknown;
export function cache(value: unknown): unknown;
export function unsafeHTML(value: string): unknown;
export function map<T>(items: Iterable<T>, template: (item: T, index: number) => unknown): unknown;
export function when(condition: unknown, yes: () => unknown, no?: () => unknown): unknown;

export interface Ref<T = Element> {
  readonly value?: T;
}
export function createRef<T = Element>(): Ref<T>;
export function ref<T extends Element = Element>(target: Ref<T> | ((element: Element | undefined) => void)): unknown;
