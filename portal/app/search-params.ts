/** Parsers for `validateSearch`: invalid values are dropped, so that an old or mistyped URL still opens the page. */

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function textParam(value: unknown): string | undefined {
  // The router parses `?q=13125550100` as a number.
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.slice(0, 120) : undefined;
}

/** The token of a link in a mail, which no one edits: a longer one is none. */
export function tokenParam(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= 512 ? value : undefined;
}

export function idParam(value: unknown): string | undefined {
  return typeof value === 'string' && UUID.test(value) ? value : undefined;
}

/** The id of what is open, or "new" for what is being made. */
export function newOrId(value: unknown): string | undefined {
  return value === 'new' ? value : idParam(value);
}

export function choiceParam<T extends string>(choices: readonly T[], value: unknown): T | undefined {
  return choices.find((choice) => choice === value);
}

/** Returns a parser of one of these words. */
export function oneOf<const T extends string>(choices: readonly T[]): (value: unknown) => T | undefined {
  return (value) => choiceParam(choices, value);
}

type Parsers = Readonly<Record<string, (value: unknown) => unknown>>;
/** What an address holds after it was parsed. */
type Parsed<P extends Parsers> = { [Name in keyof P]?: ReturnType<P[Name]> };
export type SearchOf<Parse extends (search: Record<string, unknown>) => object> = ReturnType<Parse>;

/** Returns the `validateSearch` of a page whose parameters are parsed each by itself. */
export function searchParser<P extends Parsers>(parsers: P): (search: Record<string, unknown>) => Parsed<P> {
  const names = Object.keys(parsers);
  return (search) => onlySet(Object.fromEntries(names.map((name) => [name, parsers[name]?.(search[name])]))) as Parsed<P>; // each by its own parser
}

/** Returns the members that are set, so that URLs have no empty parameters. */
export function onlySet<T extends object>(search: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  }; // only members without a value were dropped
}

export function isId(text: string): boolean {
  return UUID.test(text.trim());
}

/** Returns the client chosen in the switcher, from the parameters of any page. */
export function clientIn(search: object): string | undefined {
  return 'client' in search ? idParam(search.client) : undefined;
}
