export type OwnHost = { name: string; logoUrl: string | null; logoAlt: string | null; brandColor: string | null };

/** The agency on whose host the portal is, as the service wrote it into the page; undefined on the service's own host. */
export const ownHost: OwnHost | undefined = read(globalThis.document?.getElementById('own-host')?.textContent);

/** Pages that are not there on the host of an agency; the service answers them as not found, too. */
const ELSEWHERE = /^\/(?:signup|status|confirm-newsletter|dashboard|admin|login\/.+)(?:\/|$)/;

export function isElsewhere(path: string): boolean {
  return ownHost !== undefined && ELSEWHERE.test(path);
}

function read(text: string | null | undefined): OwnHost | undefined {
  return text ? (JSON.parse(text) as OwnHost) : undefined; // written by platform/http/own-host-page.ts
}
