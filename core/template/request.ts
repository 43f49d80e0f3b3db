import type { HttpStep, Json, JsonObject } from './types.ts';

/**
 * Builds the engine's HTTP steps per provider. Secrets are read from connections created by the service, in dot notation: the engine
 * resolves bracket notation to an empty text.
 */

export type RequestContext = {
  internalApiUrl: string;
  connectionIds: { readonly [provider: string]: string };
};

/** Members of a provider's response that may be shown in an execution. All others may quote keys or account numbers. */
const SHOWN: { [provider: string]: string[] } = {
  openai: ['model'],
  anthropic: ['model', 'stop_reason'],
  calcom: ['status'],
  resend: ['id'],
  twilio: ['sid', 'status', 'num_segments'],
  postgres: ['truncated'],
};

const USAGE: { [provider: string]: { inputTokens: string; outputTokens: string } } = {
  openai: { inputTokens: 'usage.prompt_tokens', outputTokens: 'usage.completion_tokens' },
  anthropic: { inputTokens: 'usage.input_tokens', outputTokens: 'usage.output_tokens' },
};

const TIMEOUT_SECONDS: { [provider: string]: number } = { openai: 60, anthropic: 60 };

/** Returns the input of the engine's `send_request` action for one template step. */
export function requestInput(step: HttpStep, context: RequestContext): JsonObject {
  const { request } = step;
  const auth = step.provider === 'postgres' ? queryAuth() : providerAuth(step, context);
  const base = {
    method: request.method,
    url: step.provider === 'postgres' ? `${context.internalApiUrl}${request.path}` : providerUrl(step, context),
    headers: { ...auth.headers, ...(request.form === undefined ? {} : FORM_HEADERS), ...request.headers },
    queryParams: { ...request.query },
    authType: auth.authType,
    ...(auth.authFields === undefined ? {} : { authFields: auth.authFields }),
    failureMode: 'continue_all',
    followRedirects: false,
    timeout: TIMEOUT_SECONDS[step.provider] ?? 30,
  };
  const data: Json | undefined = request.form ?? request.json;
  return data === undefined ? { ...base, body_type: 'none' } : { ...base, body_type: 'json', body: { data } };
}

/** Returns what the outcome step reads of a call: its status, its error response, and the members that may be shown. */
export function observedParts(step: HttpStep): JsonObject {
  const shown = (SHOWN[step.provider] ?? []).map((path) => [path, `{{${step.name}.body.${path}}}`]);
  const usage = USAGE[step.provider];
  return {
    seen: { status: `{{${step.name}.status}}`, response: `{{${step.name}.response}}` },
    shown: Object.fromEntries(shown),
    ...(usage === undefined
      ? {}
      : {
          usage: {
            model: `{{${step.name}.body.model}}`,
            inputTokens: `{{${step.name}.body.${usage.inputTokens}}}`,
            outputTokens: `{{${step.name}.body.${usage.outputTokens}}}`,
          },
        }),
  };
}

// A code step encodes the form and it is sent as is; the engine's own form encoding fails on plain fields.
const FORM_HEADERS = { 'Content-Type': 'application/x-www-form-urlencoded' };

type Auth = { authType: string; headers: { [name: string]: string }; authFields?: { [name: string]: string } };

function connectionValue(step: HttpStep, context: RequestContext, prop: string): string {
  return `{{connections.${context.connectionIds[step.provider] ?? `missing_${step.provider}`}.props.${prop}}}`;
}

function providerUrl(step: HttpStep, context: RequestContext): string {
  const path = step.request.path.replace('{accountSid}', connectionValue(step, context, 'accountSid'));
  return `${connectionValue(step, context, 'baseUrl')}${path}`;
}

function providerAuth(step: HttpStep, context: RequestContext): Auth {
  const value = (prop: string) => connectionValue(step, context, prop);
  switch (step.provider) {
    case 'twilio':
      return { authType: 'BASIC', headers: {}, authFields: { username: value('accountSid'), password: value('authToken') } };
    case 'anthropic':
      return { authType: 'NONE', headers: { 'x-api-key': value('apiKey'), 'anthropic-version': '2023-06-01' } };
    default:
      return { authType: 'NONE', headers: { Authorization: `Bearer ${value('apiKey')}` } };
  }
}

// The engine never holds the database password: the service runs the query, authorized by the execution's callback token.
function queryAuth(): Auth {
  return { authType: 'NONE', headers: { 'X-Callback-Token': '{{trigger.body.callbackToken}}' } };
}
