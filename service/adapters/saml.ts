import { judgeXml, SAML_XML_LIMITS } from '@partner-portal/core/sso/xml.ts';
import type { Clock } from '#platform/clock.ts';
import { type ComputePool, ComputeRefusal, type ComputeTask, defineTask } from '#platform/compute/compute-pool.ts';
import { OutboundError } from '#platform/outbound/outbound-error.ts';
import type { SafeFetch } from '#platform/outbound/safe-fetch.ts';
import { getFollowing, RedirectFault } from './follow-redirects.ts';
import { type SamlReceived, type SamlSubject, SamlTaskFault, type SamlTaskFaultKind } from './saml-fault.ts';
import { type SamlLogout, verifyLogoutQuery } from './saml-logout.ts';
import {
  answerLogout,
  type DescribedService,
  requestLogin,
  requestLogout,
  type SamlMetadata,
  type SamlProvider,
  type SamlService,
} from './saml-library.ts';
import { describeService } from './saml-metadata.ts';
import type { readLogout, readMetadata, SamlRead, verifyResponse } from './saml-tasks.ts';

export type { SamlReceived, SamlSubject } from './saml-fault.ts';
export type { SamlLogout } from './saml-logout.ts';
export type { SamlMetadata, SamlProvider, SamlService } from './saml-library.ts';

/** XML of strangers is judged by its size first, then read in a thread, in turns by partner. */
export type SamlClient = {
  /** Reads a metadata document. Throws `SamlFault`. */
  readMetadata(partnerId: string, url: string): Promise<SamlMetadata>;
  /** Reads a metadata document that an admin pasted. Throws `SamlFault`. */
  parseMetadata(partnerId: string, xml: string): Promise<SamlMetadata>;
  /** Returns where to send the browser (HTTP-Redirect binding), and the id the response must name. `asksAccount`: the provider asks for a login (ForceAuthn). */
  begin(
    provider: SamlProvider,
    service: SamlService,
    relayState: string,
    options?: { asksAccount: boolean },
  ): Promise<{ url: string; requestId: string }>;
  /** Validates a posted response to `requestId`. Throws `SamlFault` for any but the expected one, with what it held. */
  finish(partnerId: string, provider: SamlProvider, service: SamlService, samlResponse: string, requestId: string): Promise<SamlReceived>;
  /** Returns where to send the browser, so that the provider ends its session of a person (HTTP-Redirect binding). */
  logOut(logoutUrl: string, service: SamlService, subject: SamlSubject): Promise<string>;
  /**
   * Verifies a request of the provider to end sessions, from the query as it was sent. Throws `SamlFault` for any that is not signed by its keys, for
   * `logoutUrl` and of these minutes.
   */
  readLogout(
    partnerId: string,
    provider: SamlProvider,
    service: Pick<SamlService, 'allowsSha1'> & { logoutUrl: string },
    query: string,
  ): Promise<SamlLogout>;
  /** Returns where to send the browser with the response to `requestId`: the sessions have ended. */
  answerLogout(url: string, service: SamlService, requestId: string, relayState: string): Promise<string>;
  /** The service's own metadata. */
  describe(service: DescribedService): string;
};

/** `unreachable`: the provider did not respond; `busy`: it was not read, and may be when it is tried again. */
export type SamlFaultKind = SamlTaskFaultKind | 'unreachable' | 'busy';

/**
 * `message` is ours; `providerSaid` are words of the provider. `received`: what the response held, as far as it was read; an accessor, because
 * the log writes the members of an error, and this is of a person.
 */
export class SamlFault extends Error {
  readonly kind: SamlFaultKind;
  readonly providerSaid: string | null;
  readonly #received: SamlReceived | null;
  constructor(
    kind: SamlFaultKind,
    message: string,
    { cause, providerSaid = null, received = null }: { cause?: unknown; providerSaid?: string | null; received?: SamlReceived | null } = {},
  ) {
    super(message, { cause });
    this.name = 'SamlFault';
    this.kind = kind;
    this.providerSaid = providerSaid;
    this.#received = received;
  }
  get received(): SamlReceived | null {
    return this.#received;
  }
}

const TIMEOUT_MS = 8_000;
/** UTF-8 of the longest text that is accepted, which is mostly ASCII. */
const METADATA_BYTES_MAX = SAML_XML_LIMITS.length;
/** The longest text that is accepted in base64, with line breaks. */
const RESPONSE_CHARS_MAX = Math.ceil((SAML_XML_LIMITS.length * 4) / 3) + 6_000;
/** For what takes milliseconds on a free machine, and at most a second at the limits. */
const DEADLINE_MS = 10_000;
const TASKS = new URL('./saml-tasks.ts', import.meta.url);
const METADATA = defineTask<typeof readMetadata>({ file: TASKS, name: 'readMetadata', deadlineMs: DEADLINE_MS });
const LOGOUT = defineTask<typeof readLogout>({ file: TASKS, name: 'readLogout', deadlineMs: DEADLINE_MS });
const RESPONSE = defineTask<typeof verifyResponse>({ file: TASKS, name: 'verifyResponse', deadlineMs: DEADLINE_MS });

/**
 * SAML 2.0: requests by node-saml, signatures by xml-crypto. Only what a key of the provider signed is read, bound to the one request it
 * answers, to this service and this provider (ADR 0043).
 */
export function createSaml({
  fetch,
  compute,
  clock,
  deadlineMs = DEADLINE_MS,
}: {
  fetch: SafeFetch;
  compute: Pick<ComputePool, 'run'>;
  clock: Clock;
  deadlineMs?: number;
}): SamlClient {
  const inThread = async <Input, T>(
    partnerId: string,
    task: ComputeTask<(input: Input) => Promise<SamlRead<T>>>,
    input: Input,
    bytes: number,
  ): Promise<T> => {
    const read = await compute.run({ ...task, deadlineMs }, input, { key: partnerId, bytes }).catch((error: unknown) => {
      throw error instanceof ComputeRefusal ? toFault(error) : error;
    });
    if (!read.ok) throw new SamlFault(read.kind, read.message, read);
    return read.value;
  };
  const parse = (partnerId: string, text: string): Promise<SamlMetadata> => {
    const xml = text.replace(/^\uFEFF/, '').trimStart();
    judge('metadata', xml);
    return inThread(partnerId, METADATA, { xml, now: clock.now() }, Buffer.byteLength(xml));
  };
  return {
    parseMetadata: async (partnerId, xml) => parse(partnerId, xml),
    async readMetadata(partnerId, url) {
      const answer = await getFollowing(fetch, {
        method: 'GET',
        url,
        headers: { accept: 'application/samlmetadata+xml, application/xml' },
        timeoutMs: TIMEOUT_MS,
        answerBytesMax: METADATA_BYTES_MAX,
      }).catch((error: unknown) => {
        const isOurs = error instanceof OutboundError || error instanceof RedirectFault;
        throw new SamlFault('unreachable', isOurs ? error.message : 'The metadata could not be read.', { cause: error });
      });
      if (answer.status !== 200) throw new SamlFault('unreachable', `The metadata address answered ${answer.status}.`);
      if (answer.truncated) throw new SamlFault('invalid', `The metadata is longer than ${METADATA_BYTES_MAX} bytes.`);
      return parse(partnerId, answer.body.toString('utf8'));
    },
    begin: requestLogin,
    async finish(partnerId, provider, service, response, requestId) {
      if (response.length > RESPONSE_CHARS_MAX) throw new SamlFault('invalid', 'The response is too long.');
      judge('response', Buffer.from(response, 'base64').toString('utf8'));
      return inThread(partnerId, RESPONSE, { provider, service, response, requestId, now: clock.now() }, response.length);
    },
    logOut: requestLogout,
    async readLogout(partnerId, provider, { allowsSha1, logoutUrl }, query) {
      const xml = verifyQuery(query, provider, allowsSha1);
      judge('request', xml);
      return inThread(partnerId, LOGOUT, { provider, logoutUrl, xml, now: clock.now() }, Buffer.byteLength(xml));
    },
    answerLogout,
    describe: describeService,
  };
}

function verifyQuery(query: string, provider: SamlProvider, allowsSha1: boolean): string {
  try {
    return verifyLogoutQuery(query, provider, { allowsSha1 });
  } catch (error) {
    if (!(error instanceof SamlTaskFault)) throw error;
    throw new SamlFault(error.kind, error.message, { cause: error });
  }
}

function judge(what: 'metadata' | 'request' | 'response', xml: string): void {
  if (what === 'metadata' && /^\s*<(?:!doctype\s+)?html\b/i.test(xml))
    throw new SamlFault('invalid', 'The address shows a web page instead of metadata. Use the address of the XML document.');
  const problem = judgeXml(xml, SAML_XML_LIMITS);
  if (problem !== null) throw new SamlFault('invalid', `The ${what} is not accepted: ${problem}`);
}

function toFault(refusal: ComputeRefusal): SamlFault {
  if (refusal.reason === 'full' || refusal.reason === 'waited')
    return new SamlFault('busy', 'Too many checks are running right now. Try again in a minute.', { cause: refusal });
  return new SamlFault('invalid', 'The check took too long and was stopped.', { cause: refusal });
}
