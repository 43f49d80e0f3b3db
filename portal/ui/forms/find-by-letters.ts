/**
 * Returns the index of the label that a list moves to when someone types these letters, as the lists of operating systems do: one letter, also repeated, finds the
 * next label after the current one, several letters the current one or the next. -1 when no label begins with them.
 */
export function findByLetters(labels: readonly string[], current: number, letters: string): number {
  const typed = letters.toLowerCase();
  const [first = ''] = typed;
  const isOneLetter = typed === first.repeat(typed.length);
  const wanted = isOneLetter ? first : typed;
  const from = isOneLetter ? current + 1 : current;
  const order = labels.map((_label, step) => (from + step) % labels.length);
  return order.find((index) => labels[index]?.toLowerCase().startsWith(wanted)) ?? -1;
}
