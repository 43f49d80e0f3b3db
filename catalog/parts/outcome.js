// The last step before the report: reads what each step left behind and tells the story of the run once.
// Answers of third parties are never passed on as they are, since they may quote keys and account numbers;
// only their code is. What a run had worked out is reported also when it failed: a person who cannot be texted ends it as stopped.

const NAMES = { openai: 'OpenAI', anthropic: 'Anthropic', calcom: 'Cal.com', resend: 'Resend', twilio: 'Twilio', postgres: 'The database' };

const word = (value) => {
  const text = String(value ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .slice(0, 60);
  return text.replace(/^_+|_+$/g, '');
};

const explainQuery = (body) => {
  const code = word(body?.code) || 'refused';
  return ['postgres_' + code, typeof body?.detail === 'string' ? body.detail : 'The query was refused'];
};

// The code by which each provider names a cause; a text of theirs is never one.
const ownCode = (body) => word(body?.code) || word(body?.error?.code) || word(body?.error?.type) || word(body?.name);

// A provider's refusal: [code, message]. What it means is decided by the service, also for flows that are older than its table
// (core/provider/refusals.ts).
export const explain = (provider, response) => {
  const { status, body } = response;
  if (provider === 'postgres' && status < 500) return explainQuery(body);
  const own = ownCode(body);
  const name = NAMES[provider] ?? provider;
  return [
    provider + '_' + status + (own ? '_' + own : ''),
    name + ' did not accept the request (' + status + (own ? ', ' + own : '') + ')',
  ];
};

const empty = (value) => value === '' || value === null || value === undefined;

// Bodies and prompts on their way to a provider are not part of the story, and long values are cut: the story has a size.
// Between two signs as people see them.
const head = (text, max) => {
  const start = text.slice(0, max + 64);
  return start.slice(0, new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(start).containing(max)?.index || max);
};
const WIRE = new Set(['form', 'mail', 'system', 'user', 'prompt']);
// Members that a list keeps: those of a step are an example, those of the result are what the run was for.
const SHOWN_MAX = 20;
const RESULT_MAX = 200;
const shorten = (value, membersMax = SHOWN_MAX, depth = 0) => {
  if (typeof value === 'string') return value.length > 1000 ? head(value, 1000) + '…' : value;
  if (Array.isArray(value)) return value.slice(0, membersMax).map((item) => shorten(item, membersMax, depth + 1));
  if (value === null || typeof value !== 'object') return value;
  if (depth > 4) return '…';
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shorten(item, membersMax, depth + 1)]));
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
  // A call that may fail is the error of the run, and the steps after it have run.
  let ended = false;
  for (const link of chain) {
    if (ended || stopped || !wanted(link.when)) {
      steps.push({ name: link.name, status: 'skipped' });
      continue;
    }
    const judged = link.kind === 'code' ? judgeCode(link) : judgeCall(link);
    if (judged.error) error ??= { ...judged.error, stepName: link.name };
    if (judged.error && link.mayFail !== true) ended = true;
    if (judged.stop) stopped = { ...judged.output, ...judged.stop };
    const story = judged.error ? { error: judged.error.message } : { output: shorten(judged.output) };
    steps.push({ name: link.name, status: judged.error ? 'failed' : 'succeeded', ...story });
  }
  return { steps, error, stopped };
};

export const code = async ({ run, chain, result }) => {
  const { steps, error, stopped } = walk(chain);
  const usage = readUsage(chain);
  const output = stopped ? { skipped: true, ...shorten(stopped) } : shorten(tidy(result), RESULT_MAX);
  const report = {
    ...(empty(run.executionId) ? {} : { executionId: run.executionId }),
    ...(empty(run.workflowId) ? {} : { workflowId: run.workflowId }),
    status: error ? 'FAILED' : 'SUCCEEDED',
    ...(error ? { error } : {}),
    ...(error && Object.keys(output).length === 0 ? {} : { output }),
    steps,
    ...(usage ? { usage } : {}),
  };
  return { report };
};
