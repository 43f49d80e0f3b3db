import type { IncomingHttpHeaders } from 'node:http';

/** Returns the media type of a body in lower case, without parameters; empty without one. */
export function mediaType(headers: IncomingHttpHeaders): string {
  return headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

export function isJson(headers: IncomingHttpHeaders): boolean {
  const type = mediaType(headers);
  return type === 'application/json' || type.endsWith('+json');
}
