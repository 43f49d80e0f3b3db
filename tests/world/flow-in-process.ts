import { createContext, runInContext, Script } from 'node:vm';
import type { ReportedRun } from '@partner-portal/core/execution/reported.ts';
import type { DispatchPayload, TemplateBundle } from '@partner-portal/core/template/types.ts';
import { flowFromTemplate } from '@partner-portal/core/template/template.ts';
import { resolveValue } from '@partner-portal/engine/expressions.ts';
import { rewriteReferences } from '@partner-portal/engine/flow/rewrite.ts';
import { interpret, type DueStep, type StepResult } from '@partner-portal/engine/interpreter.ts';
import type { Trigger } from '@partner-portal/engine/protocol.ts';
import { evaluateRouter } from '@partner-portal/engine/steps/router.ts';
import { anthropic } from '@partner-portal/sandbox/anthropic.ts';
import { calcom } from '@partner-portal/sandbox/calcom.ts';
import { openai } from '@partner-portal/sandbox/openai.ts';
import type { Reply, StandIn } from '@partner-portal/sandbox/provider.ts';
import { resend } from '@partner-portal/sandbox/resend.ts';
import { twilio } from '@partner-portal/sandbox/twilio.ts';

/**
 * Runs the flow of a template in this process: the engine's own walk and expressions, each code step in a realm that has the language and nothing else, and the
 * provider sandbox asked without a socket. For properties that are tried hundreds of times; what is about the wire is tried in world.test.ts.
 */

export type SentCall = { provider: string; path: string; body: unknown; status: number };
export type FlowEnd = {
  report: ReportedRun;
  sent: SentCall[];
};
export type FlowRunner = (payload: DispatchPayload) => Promise<FlowEnd>;

const STAND_INS: { readonly [provider: string]: StandIn } = { openai, anthropic, calcom, resend, twilio };
const SERVICE = 'http://service.internal';
const BASE = 'http://sandbox.internal';
const ROWS = {
  columns: ['day', 'orders'],
  rows: [
    { day: '2027-01-04', orders: 31 },
    { day: '2027-01-05', orders: 40 },
  ],
  truncated: false,
};
const KEYS = { apiKey: 'sandbox-key', accountSid: `AC${'1'.repeat(32)}`, authToken: 'sandbox-token' };

export function flowRunner({ template, sources }: TemplateBundle): FlowRunner {
  const connectionIds = Object.fromEntries(template.requiredConnections.map((provider) => [provider, `key_${provider}`]));
  const { trigger } = flowFromTemplate(template, {
    internalApiUrl: SERVICE,
    connectionIds,
    displayName: template.title,
    codeSources: sources,
    pieceVersions: { webhook: '0', http: '0' },
  });
  const tree = trigger as unknown as Trigger; // the same tree, as the engine declares it
  rewriteReferences(tree, '20');
  const connections = new Map(
    template.requiredConnections.map((provider) => [
      `key_${provider}`,
      { type: 'CUSTOM_AUTH', props: { ...KEYS, baseUrl: `${BASE}/${provider}` } },
    ]),
  );
  const steps = new Map<string, (input: unknown) => Promise<unknown>>();

  return async (payload) => {
    const sent: SentCall[] = [];
    let report: FlowEnd['report'] | undefined;
    const perform = async ({ action, scope }: DueStep): Promise<unknown> => {
      if (action.type === 'ROUTER') return evaluateRouter(resolveValue(action.settings, scope, connections) as typeof action.settings);
      const input = resolveValue(action.type === 'LOOP_ON_ITEMS' ? action.settings.items : action.settings.input, scope, connections);
      if (action.type === 'CODE') {
        const { code } = action.settings.sourceCode;
        const step = steps.get(code) ?? compile(code);
        steps.set(code, step);
        return step(input);
      }
      const request = input as Request; // core/template/request.ts
      const data = request.body?.data;
      if (request.url.startsWith(`${SERVICE}/executions/webhook`)) {
        report = data as FlowEnd['report'];
        return { status: 200, body: { applied: true } };
      }
      if (request.url.startsWith(SERVICE)) return { status: 200, body: ROWS };
      const call = await ask(request);
      sent.push(call.sent);
      return call.output;
    };
    const walk = interpret(tree, { body: payload });
    let position = walk.resume(new Map());
    while (position.kind === 'due') {
      const result: StepResult = {
        type: position.step.action.type,
        status: 'SUCCEEDED',
        input: {},
        output: await perform(position.step),
        durationMs: 0,
      };
      position = walk.advance(result);
    }
    if (report === undefined) throw new Error('The flow posted no report.');
    return { report, sent };
  };
}

/** A code step as the engine runs it: inputs and answer cross as JSON text. */
function compile(source: string): (input: unknown) => Promise<unknown> {
  const realm = createContext({});
  runInContext(`${source.replace(/^export const code =/m, 'globalThis.code =').replace(/^export /gm, '')}\n;`, realm);
  const call = new Script('code(JSON.parse(globalThis.text)).then(JSON.stringify)');
  return async (input) => {
    Reflect.set(realm, 'text', JSON.stringify(input));
    const text: unknown = await call.runInContext(realm);
    return JSON.parse(String(text));
  };
}

type Request = {
  method: string;
  url: string;
  headers: Record<string, string>;
  queryParams: Record<string, string>;
  authType: string;
  authFields?: { username: string; password: string };
  body?: { data?: unknown };
};

async function ask(request: Request): Promise<{ sent: SentCall; output: unknown }> {
  const { pathname } = new URL(request.url);
  const [, provider = '', ...rest] = pathname.split('/');
  const path = `/${rest.join('/')}`;
  const data = request.body?.data;
  const basic =
    request.authFields === undefined ? '' : Buffer.from(`${request.authFields.username}:${request.authFields.password}`).toString('base64');
  const headers = {
    ...Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value])),
    ...(request.authType === 'BASIC' ? { authorization: `Basic ${basic}` } : {}),
  };
  const body =
    typeof data === 'string'
      ? Object.fromEntries(new URLSearchParams(data))
      : data === undefined
        ? undefined
        : JSON.parse(JSON.stringify(data));
  const standIn = STAND_INS[provider];
  if (standIn === undefined) throw new Error(`${request.url} is no provider.`);
  const reply: Reply = await standIn.answer({
    method: request.method,
    path,
    query: request.queryParams,
    headers,
    body,
    now: new Date(),
    // No row of these tests names a booking.
    pool: undefined as never,
    signal: new AbortController().signal,
  });
  const { status } = reply;
  const answered = 'body' in reply ? reply.body : null;
  // As engine/steps/http.ts gives back a failure that the step forgives.
  const output = status >= 400 ? { response: { status, body: answered }, request: {} } : { status, headers: {}, body: answered };
  return { sent: { provider, path, body, status }, output };
}
