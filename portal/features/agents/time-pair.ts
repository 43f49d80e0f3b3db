export type TimePair = readonly [from: string, until: string];

/** "21:00-08:00"; empty where neither is set. */
export function joinPair([from, until]: TimePair): string {
  return from || until ? `${from}-${until}` : '';
}

/** The two times of a text; as they were typed while they are this text, because what is typed may hold a hyphen itself. */
export function pairOf(text: string, typed: TimePair): TimePair {
  if (joinPair(typed) === text) return typed;
  const [from = '', until = ''] = text.split('-');
  return [from, until];
}
