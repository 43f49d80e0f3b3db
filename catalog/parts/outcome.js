// The last step before the report: reads what each step left behind and tells the story of the run once.
// Answers of third parties are never passed on as they are, since they may quote keys and account numbers;
// they are explained from their code alone.

const NAMES = { openai: 'OpenAI', anthropic: 'Anthropic', calcom: 'Cal.com', resend: 'Resend', twilio: 'Twilio', postgres: 'The database' };

const TWILIO = {
  20003: ['twilio_key_refused', 'Twilio refused the saved key'],
  20404: ['twilio_account_unknown', 'Twilio does not know the saved account'],
  21211: ['twilio_number_rejected', 'Twilio rejected the number: not E.164'],
  21212: ['twilio_sender_rejected', 'Twilio does not accept the sender number'],
  21408: ['twilio_region_blocked', 'The Twilio account may not text that country'],
  21602: ['twilio_text_empty', 'Twilio got an empty text'],
  21603: ['twilio_sender_rejected', 'Twilio needs a sender number'],
  21604: ['twilio_number_rejected', 'Twilio needs a number to text'],
  21606: ['twilio_sender_rejected', 'The sender number belongs to another account or cannot send texts'],
  21610: ['twilio_opted_out', 'This number has opted out of texts from the sender'],
  21611: ['twilio_queue_full', 'The sender number has too many texts waiting'],
  21612: ['twilio_unreachable_number', 'Twilio cannot reach that number from the sender number'],
  21614: ['twilio_not_mobile', 'That number cannot receive texts'],
  21617: ['twilio_text_too_long', 'The text is longer than Twilio allows'],
};

const word = (value) => {
  const text = String(value ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .slice(0, 60);
  return text.replace(/^_+|_+$/g, '');
};

const explainAiError = (provider, name, body) => {
  const kind = word(body?.error?.code) || word(body?.error?.type);
  if (kind === 'insufficient_quota') return [provider + '_no_credit', 'The ' + name + ' account has no credit left'];
  if (kind === 'model_not_found' || kind === 'not_found_error') {
    return [provider + '_model_unknown', name + ' does not know the model chosen in the settings'];
  }
  if (kind === 'context_length_exceeded') return [provider + '_too_long', 'The text was too long for the model'];
  return null;
};

const explainQuery = (body) => {
  const code = word(body?.code) || 'refused';
  return ['postgres_' + code, typeof body?.detail === 'string' ? body.detail : 'The query was refused'];
};

// A provider's refusal in plain words: [code, message].
export const explain = (provider, response) => {
  const name = NAMES[provider] ?? provider;
  const { status, body } = response;
  if (provider === 'postgres' && status < 500) return explainQuery(body);
  if (provider === 'twilio' && TWILIO[body?.code]) return TWILIO[body.code];
  const known = provider === 'openai' || provider === 'anthropic' ? explainAiError(provider, name, body) : null;
  if (known) return known;
  if (status === 401 || status === 403) return [provider + '_key_refused', name + ' refused the saved key'];
  if (status === 404) return [provider + '_not_found', name + ' does not know what was asked for'];
  if (status >= 300 && status < 400) {
    return [provider + '_redirected', name + ' answered with a redirect (' + status + '), so nothing was done there'];
  }
  if (status === 429) return [provider + '_too_fast', name + ' asks us to slow down; try again in a while'];
  if (status >= 500) return [provider + '_down', name + ' had a fault of its own; try again in a while'];
  const detail = word(body?.name) || word(body?.error?.code) || word(body?.error?.type) || word(body?.code);
  return [provider + '_refused', name + ' did not accept the request (' + status + (detail ? ', ' + detail : '') + ')'];
};

const empty = (value) => value === '' || value === null || value === undefined;

// Bodies and prompts on their way to a provider are not part of the story, and long values are cut: the story has a size.
const WIRE = new Set(['form', 'mail', 'system', 'user', 'prompt']);
const shorten = (value, depth = 0) => {
  if (typeof value === 'string') return value.length > 1000 ? value.slice(0, 1000) + '…' : value;
  if (Array.isArray(value)) return value.slice(0, 20).map((item) => shorten(item, depth + 1));
  if (value === null || typeof value !== 'object') return value;
  if (depth > 4) return '…';
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shorten(item, depth + 1)]));
};
const tidy = (values) => Object.fromEntries(Object.entries(values ?? {}).filter(([key, value]) => !WIRE.has(key) && !empty(value)));

const judgeCode = ({ label, seen }) => {
  if (seen.fault && typeof seen.fault === 'object') return { error: { code: seen.fault.code, message: seen.fault.message } };
  if (seen.go === true) return { output: tidy(seen.out) };
  if (seen.go === false) return { output: tidy(seen.out), stop: { reason: seen.reason, message: seen.message } };
  return { error: { code: 'step_failed', message: '“' + label + '” ended unexpectedly' } };
};

// An engine takes any answer below 400 for success; only 200 to 299 says that it was done.
const isDone = (status) => Number(status) >= 200 && Number(status) < 300;

// The engine gives a call without an answer the status 500 and no body; a provider's own fault has one.
const answered = (response) => Number(response?.status) > 0 && !(Number(response.status) === 500 && empty(response.body));

const judgeCall = ({ provider, seen, shown }) => {
  if (isDone(seen.status)) return { output: tidy(shown) };
  const response = Number(seen.status) > 0 ? { status: Number(seen.status) } : seen.response;
  if (answered(response)) {
    const [code, message] = explain(provider, response);
    return { error: { code, message } };
  }
  return { error: { code: provider + '_unreachable', message: (NAMES[provider] ?? provider) + ' could not be reached' } };
};

const wanted = (when) => (when === undefined ? true : when.is === 'true' ? when.value === true : !empty(when.value));

const readUsage = (chain) => {
  const call = chain.find((link) => link.usage && isDone(link.seen.status));
  if (!call) return undefined;
  const { model, inputTokens, outputTokens } = call.usage;
  return { provider: call.provider, model: String(model), inputTokens: Number(inputTokens) || 0, outputTokens: Number(outputTokens) || 0 };
};

const walk = (chain) => {
  const steps = [];
  let error;
  let stopped;
  for (const link of chain) {
    if (error || stopped || !wanted(link.when)) {
      steps.push({ name: link.name, status: 'skipped' });
      continue;
    }
    const judged = link.kind === 'code' ? judgeCode(link) : judgeCall(link);
    if (judged.error) error = { ...judged.error, stepName: link.name };
    if (judged.stop) stopped = { ...judged.output, ...judged.stop };
    const story = judged.error ? { error: judged.error.message } : { output: shorten(judged.output) };
    steps.push({ name: link.name, status: judged.error ? 'failed' : 'succeeded', ...story });
  }
  return { steps, error, stopped };
};

export const code = async ({ run, chain, result }) => {
  const { steps, error, stopped } = walk(chain);
  const usage = readUsage(chain);
  const output = stopped ? { skipped: true, ...shorten(stopped) } : shorten(tidy(result));
  const report = {
    ...(empty(run.executionId) ? {} : { executionId: run.executionId }),
    ...(empty(run.workflowId) ? {} : { workflowId: run.workflowId }),
    status: error ? 'FAILED' : 'SUCCEEDED',
    ...(error ? { error } : { output }),
    steps,
    ...(usage ? { usage } : {}),
  };
  return { report };
};
