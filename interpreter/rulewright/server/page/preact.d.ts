// Of Preact, what pages use: https://preactjs.com/guide/v10/api-reference

export type Child = VNode | string | number | bigint | boolean | null | undefined | readonly Child[];

export interface VNode {
  type: unknown;
  props: Record<string, any>;
  key: unknown;
}

type Handled<E, T> = E & { readonly target: T; readonly currentTarget: HTMLElement };
type Handler<E, T = HTMLElement> = ((event: Handled<E, T>) => unknown) | false | null | undefined;

/** Attributes and properties of an element, by their names in HTML; handlers; and what Preact itself is told. */
export interface Props {
  key?: string | number | bigint | null;
  ref?: (drawn: any) => void;
  style?: Record<string, string | number | null | undefined>;
  onclick?: Handler<MouseEvent>;
  onkeydown?: Handler<KeyboardEvent>;
  onpointerdown?: Handler<PointerEvent>;
  oninput?: Handler<InputEvent, HTMLInputElement>;
  onchange?: Handler<Event, HTMLInputElement>;
  onsubmit?: Handler<SubmitEvent, HTMLFormElement>;
  ontoggle?: Handler<ToggleEvent, HTMLDetailsElement>;
  onfocus?: Handler<FocusEvent, HTMLInputElement>;
  onblur?: Handler<FocusEvent>;
  oncancel?: Handler<Event>;
  [attribute: string]: any;
}

export function h(type: string, props: Props | null, ...children: Child[]): VNode;
export function h<P>(
  type: new (props: P) => Component<P>,
  props: P & { key?: string | number },
  ...children: Child[]
): VNode;
export function h(type: typeof Fragment, props: null, ...children: Child[]): VNode;
export function Fragment(props: object): VNode;
export function cloneElement(node: VNode, props: Props): VNode;
export function render(what: Child, parent: Element): void;

export abstract class Component<P> {
  constructor(props: P);
  props: P;
  /** The element that it has become. */
  base: HTMLElement;
  abstract render(): Child;
}
