const numbers = new Intl.NumberFormat('en-US');

/** "1 client", "1,200 clients". */
export function counted(count: number, one: string): string {
  return `${numbers.format(count)} ${one}${count === 1 ? '' : 's'}`;
}
