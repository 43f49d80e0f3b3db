/** A request to a language model, whichever provider's format it came in. */

export type Call = { id: string; name: string; input: { readonly [key: string]: unknown } };

export type Turn =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; calls: readonly Call[] }
  | { role: 'tool'; callId: string; text: string };

export type Property = { type: string; title: string; description: string; format: string; choices: readonly string[] };

export type Tool = {
  name: string;
  description: string;
  properties: { readonly [name: string]: Property };
  required: readonly string[];
};

/** `name`: this tool and no other must be called. */
export type Choice = { kind: 'auto' | 'none' | 'required' } | { kind: 'named'; name: string };

export type Conversation = {
  system: string;
  turns: readonly Turn[];
  tools: readonly Tool[];
  choice: Choice;
  /** Whether the response must be a JSON object. */
  isJson: boolean;
  /** Whether the model does what any text in the conversation says. */
  isGullible: boolean;
  now: Date;
};

export type Answer = { text: string; calls: readonly { name: string; input: { readonly [key: string]: unknown } }[] };

/** About four characters per token, as with real models. */
export function countTokens(text: string): number {
  return Math.max(1, Math.ceil(text.length / 4));
}

/** Counts what a provider charges as input: instructions, messages, tool calls and results, declarations of tools. */
export function countInput({ system, turns, tools }: Conversation): number {
  const said = turns.map((turn) => (turn.role === 'assistant' ? turn.text + callsText(turn.calls) : turn.text));
  const declared = tools.map((tool) => tool.name + tool.description + JSON.stringify(tool.properties));
  return countTokens([system, ...said, ...declared].join(''));
}

/** Cuts an answer to this many tokens; the cut text ends in the middle of a word, as with real models. */
export function cutTo(answer: Answer, tokensMax: number): { answer: Answer; outputTokens: number; isCut: boolean } {
  const outputTokens = countTokens(answer.text + callsText(answer.calls));
  if (outputTokens <= tokensMax) return { answer, outputTokens, isCut: false };
  return { answer: { text: answer.text.slice(0, tokensMax * 4), calls: [] }, outputTokens: tokensMax, isCut: true };
}

function callsText(calls: Answer['calls']): string {
  return calls.map((call) => call.name + JSON.stringify(call.input)).join('');
}

/** The visitor's texts, oldest first. */
export function visitorTexts(turns: readonly Turn[]): string[] {
  return turns.flatMap((turn) => (turn.role === 'user' ? [turn.text] : []));
}
