import type { TestService } from './service.ts';

/** One browser: follows redirects with its cookies, to the portal's own routes and to providers on loopback alike. */
export type SsoBrowser = {
  /** Follows from `start` until a page of the portal that is no route of single sign-on; answers its address. */
  go(start: string): Promise<URL>;
  /** Follows one redirect; `next` is null when the address shows a page. */
  step(url: URL): Promise<{ next: URL | null; status: number; text: string }>;
  /** Posts a form, as a page of the provider does: to the portal, or to the provider itself. */
  post(url: string, form: Record<string, string>): Promise<URL>;
  /** Sends JSON to a provider, as a script of its page does. */
  send(url: URL, method: string, body: object): Promise<void>;
  exchange(code: string): Promise<{ status: number; body: TestReplyBody }>;
};
// oxlint-disable-next-line typescript/no-explicit-any
type TestReplyBody = any;

const STEPS_MAX = 20;

export function openBrowser(service: TestService): SsoBrowser {
  const jar = new Map<string, Map<string, string>>();
  const own = new URL(service.baseUrl).host;
  const cookies = (host: string): string => [...(jar.get(host) ?? new Map<string, string>()).values()].join('; ');
  const keep = (host: string, lines: readonly string[]): void => {
    const kept = jar.get(host) ?? new Map<string, string>();
    for (const line of lines) {
      const pair = line.split(';')[0] ?? '';
      kept.set(pair.split('=')[0] ?? '', pair);
    }
    jar.set(host, kept);
  };
  const step: SsoBrowser['step'] = async (url) => {
    if (url.host === own) {
      const reply = await service.call('GET', `${url.pathname}${url.search}`, { headers: { cookie: cookies(url.host) } });
      keep(url.host, [reply.headers['set-cookie'] ?? []].flat().map(String));
      const location = reply.headers['location'];
      return { next: typeof location === 'string' ? new URL(location, url) : null, status: reply.status, text: reply.text };
    }
    const response = await fetch(url, { redirect: 'manual', headers: { cookie: cookies(url.host) } });
    keep(url.host, response.headers.getSetCookie());
    const location = response.headers.get('location');
    return { next: location === null ? null : new URL(location, url), status: response.status, text: await response.text() };
  };
  return {
    step,
    async go(start) {
      let url = new URL(start);
      for (let count = 0; count < STEPS_MAX; count += 1) {
        if (url.host === own && !url.pathname.startsWith('/sso/')) return url;
        const { next, status, text } = await step(url);
        if (!next) throw new Error(`${url.href} responded ${status} without a redirect: ${text.slice(0, 300)}`);
        url = next;
      }
      throw new Error('Too many redirects.');
    },
    async post(target, form) {
      const url = new URL(target);
      if (url.host !== own) {
        const headers = { cookie: cookies(url.host) };
        const response = await fetch(url, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(form) });
        keep(url.host, response.headers.getSetCookie());
        const location = response.headers.get('location');
        if (location === null) throw new Error(`${target} answered ${response.status}: ${(await response.text()).slice(0, 300)}`);
        return new URL(location, url);
      }
      const reply = await service.call('POST', url.pathname, {
        rawBody: new URLSearchParams(form).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: cookies(url.host) },
      });
      keep(url.host, [reply.headers['set-cookie'] ?? []].flat().map(String));
      const location = reply.headers['location'];
      if (typeof location !== 'string') throw new Error(`${target} answered ${reply.status}: ${reply.text}`);
      return new URL(location, url);
    },
    async send(url, method, body) {
      const headers = { 'content-type': 'application/json', cookie: cookies(url.host) };
      const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
      keep(url.host, response.headers.getSetCookie());
      if (!response.ok) throw new Error(`${url.href} answered ${response.status}: ${await response.text()}`);
    },
    exchange: (code) => service.call('POST', '/sso/exchange', { body: { code }, headers: { cookie: cookies(own) } }),
  };
}
