import assert from 'node:assert/strict';
import { createOidc } from '@partner-portal/service/adapters/oidc.ts';
import { createSaml } from '@partner-portal/service/adapters/saml.ts';
import { sso } from '@partner-portal/service/modules/2-tenancy/sso/index.ts';
import { createSafeFetch } from '@partner-portal/service/platform/outbound/safe-fetch.ts';
import { startTestService, type TestService } from './service.ts';
import { openBrowser, type SsoBrowser } from './sso-browser.ts';

export const SSO_BASE = 'http://portal.test';

/** The service with single sign-on alone, for a provider on loopback that another process runs. */
export type SsoService = {
  service: TestService;
  /** Saves the connection of Acme; `body` without its e-mail domains. */
  save(body: object): Promise<void>;
  /** Runs a test login through the real pages of the provider; returns its end, `ok` or a problem, and what was received. */
  // oxlint-disable-next-line typescript/no-explicit-any
  tryLogin(onPage?: OnPage): Promise<{ end: string | null; test: any }>;
  /** Logs in through the real pages of the provider; returns the browser and its session. */
  logIn(onPage?: OnPage): Promise<{ browser: SsoBrowser; headers: { authorization: string } }>;
  /** Follows from an address until a page of the portal; returns every address on the way. */
  follow(browser: SsoBrowser, url: URL, onPage?: OnPage): Promise<URL[]>;
  close(): Promise<void>;
};
/** What a person does at a page of the provider that leads nowhere by itself; returns the next address. */
export type OnPage = (page: { browser: SsoBrowser; url: URL; text: string }) => Promise<URL>;

const STEPS_MAX = 15;

export async function startSsoService(providerUrl: string): Promise<SsoService> {
  const fetch = createSafeFetch({ allowedHosts: [new URL(providerUrl).host] });
  const service = await startTestService({
    modules: (platform) => [
      sso({
        ...platform,
        fetch,
        oidc: createOidc({ fetch, clock: platform.clock, allowsHttp: () => true }),
        saml: createSaml({ fetch, compute: platform.compute, clock: platform.clock, deadlineMs: 600_000 }),
        isProduction: false,
      }),
    ],
  });
  const result = async (back: URL) => {
    const { lastTest } = (await service.call('GET', '/sso/connection', { as: 'owner' })).body;
    return { end: back.searchParams.get('problem') ?? back.searchParams.get('test'), test: lastTest };
  };
  return {
    service,
    async save(body) {
      const saved = await service.call('PUT', '/sso/connection', { as: 'owner', body: { emailDomains: ['portal.test'], ...body } });
      assert.equal(saved.status, 200, saved.text);
    },
    async tryLogin(onPage) {
      const start = new URL((await service.call('POST', '/sso/connection/test', { as: 'owner' })).body.url);
      return result((await follow(openBrowser(service), start, onPage)).at(-1) ?? start);
    },
    async logIn(onPage) {
      const browser = openBrowser(service);
      const way = await follow(browser, new URL(`${SSO_BASE}/sso/acme/start`), onPage);
      const { status, body } = await browser.exchange(way.at(-1)?.searchParams.get('code') ?? '');
      assert.equal(status, 200, way.join(' → '));
      return { browser, headers: { authorization: `Bearer ${body.accessToken}` } };
    },
    follow,
    close: () => service.close(),
  };

  async function follow(browser: SsoBrowser, start: URL, onPage?: OnPage): Promise<URL[]> {
    const way = [start];
    for (let count = 0; count < STEPS_MAX; count += 1) {
      let url = way.at(-1) ?? start;
      if (url.href.startsWith(`${SSO_BASE}/login`)) return way;
      const { next, text } = await browser.step(url);
      const field = (name: string): string | undefined => new RegExp(`name="${name}"[^>]*? value="([^"]*)"`).exec(text)?.[1];
      const response = field('SAMLResponse');
      if (next) url = next;
      else if (response) {
        const form = { SAMLResponse: decodeText(response), RelayState: decodeText(field('RelayState') ?? '') };
        url = await browser.post(`${SSO_BASE}/sso/acme/acs`, form);
      } else if (onPage) url = await onPage({ browser, url, text });
      else assert.fail(`${url.href} leads nowhere: ${text.slice(0, 500)}`);
      way.push(url);
    }
    return assert.fail('too many redirects');
  }
}

function decodeText(html: string): string {
  return html.replaceAll(/&#x([0-9a-f]+);/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))).replaceAll('&amp;', '&');
}
