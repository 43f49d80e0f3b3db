export type RecentPage = { path: string; name: string; kind: 'Client' | 'Agent' | 'Run' | 'Agency' };

const KEPT = 6;
const KINDS: readonly [RegExp, RecentPage['kind']][] = [
  [/^\/dashboard\/clients\/[0-9a-f-]{36}/, 'Client'],
  [/^\/dashboard\/agents\/[0-9a-f-]{36}/, 'Agent'],
  [/^\/dashboard\/runs\/[0-9a-f-]{36}/, 'Run'],
  [/^\/admin\/partners\/[0-9a-f-]{36}/, 'Agency'],
];

/** The records seen last, newest first. In memory only: names of clients stay nowhere once the page is closed or its person logs out. */
let pages: readonly RecentPage[] = [];

/** Notes that the record at this path was seen; other pages are not noted. */
export function noteRecent(pathname: string, name: string): void {
  for (const [pattern, kind] of KINDS) {
    const [path] = pattern.exec(pathname) ?? [];
    if (path) pages = [{ path, name, kind }, ...pages.filter((page) => page.path !== path)].slice(0, KEPT);
  }
}

/** Returns the records seen last, without the one that is open. */
export function recentPages(pathname: string): readonly RecentPage[] {
  return pages.filter(({ path }) => !pathname.startsWith(path)).slice(0, KEPT - 1);
}
