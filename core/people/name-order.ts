/**
 * Returns rows by the name of each, in the order of a language (a BCP 47 tag): "Ágata" among the names with A, and "von Hagen" before "Weiß". The
 * database orders by bytes, as its locale is C. Rows of one name keep their order.
 */
export function byName<Row>(rows: readonly Row[], nameOf: (row: Row) => string, tag: string): Row[] {
  const { compare } = new Intl.Collator(tag);
  return rows.toSorted((one, other) => compare(nameOf(one), nameOf(other)));
}
