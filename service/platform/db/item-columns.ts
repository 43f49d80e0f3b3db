/**
 * Parameters of the functions that take one array per column and return one row per item. One list gives the order of the parameters, their
 * types and where each is read from, so they cannot drift apart; item-columns.test.ts of the module compares it with the function in the database.
 */

/** What a member of each array type is in code; jsonb travels as text. */
type ArrayTypes = {
  'uuid[]': string;
  'text[]': string;
  'jsonb[]': string;
  'int[]': number;
  'boolean[]': boolean;
  'bytea[]': Buffer;
};
type Column<Item> = { [Type in keyof ArrayTypes]: readonly [Type, (item: Item) => ArrayTypes[Type] | null] }[keyof ArrayTypes];

/** By the name of the function's parameter, in its order. */
export type ItemColumns<Item> = { readonly [parameter: string]: Column<Item> };

/** Returns the parameter list of the call: `$1::uuid[], $2::text[], …`. */
export function parameterList<Item>(columns: ItemColumns<Item>): string {
  return Object.values(columns)
    .map(([type], index) => `$${index + 1}::${type}`)
    .join(', ');
}

/** Returns one array per column. A column that no item fills is sent as null, which the function reads as a column of nulls. */
export function arraysOf<Item>(columns: ItemColumns<Item>, items: readonly Item[]): (unknown[] | null)[] {
  return Object.values(columns).map(([, pick]) => {
    const column: unknown[] = items.map((item) => pick(item));
    return column.every((value) => value === null || value === false) ? null : column;
  });
}
