/** Called with how many percent of a form are sent. */
export type OnSent = (percent: number) => void;

/**
 * `fetch` for a form with a large file. The browser's own says nothing of what is sent so far; it fails the same way when the service cannot
 * be reached.
 */
export function sendForm(input: RequestInfo | URL, init: RequestInit | undefined, onSent: OnSent): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(init?.method ?? 'GET', input instanceof Request ? input.url : input);
    request.responseType = 'arraybuffer';
    for (const [name, value] of new Headers(init?.headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onSent(Math.floor((loaded / total) * 100));
    });
    request.upload.addEventListener('load', () => onSent(100));
    request.addEventListener('load', () => resolve(responseOf(request)));
    request.addEventListener('error', () => reject(new TypeError('Failed to fetch')));
    request.addEventListener('abort', () => reject(new DOMException('The call was aborted.', 'AbortError')));
    init?.signal?.addEventListener('abort', () => request.abort());
    request.send(init?.body instanceof FormData ? init.body : null);
  });
}

function responseOf(request: XMLHttpRequest): Response {
  const { status, statusText } = request;
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const at = line.indexOf(':');
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim());
  }
  const body = request.response as ArrayBuffer; // by its response type
  return new Response(body.byteLength > 0 ? body : null, { status, statusText, headers });
}
