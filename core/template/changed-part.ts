/** Splits two texts into what they share at the start, what differs, and what they share at the end, at whole words. */
export function changedPart(before: string, after: string): { start: string; removed: string; added: string; end: string } {
  const [a, b] = [before, after].map((text) => text.split(/(\s+)/));
  if (!a || !b) return { start: '', removed: before, added: after, end: '' };
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  return {
    start: a.slice(0, head).join(''),
    removed: a.slice(head, a.length - tail).join(''),
    added: b.slice(head, b.length - tail).join(''),
    end: a.slice(a.length - tail).join(''),
  };
}
