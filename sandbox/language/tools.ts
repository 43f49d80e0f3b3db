import { visitorTexts, type Answer, type Conversation, type Tool, type Turn } from './conversation.ts';
import { answersAny, fillEmpty, fillInputs, type Sources } from './inputs.ts';
import { unquote } from './passages.ts';
import { isGrouped, meanings } from './words.ts';

const STILL_NEEDED = 'Gladly. For that I still need';

/**
 * Calls a tool when the visitor wishes what its name or description says and its required inputs are in the conversation; asks for what is
 * missing. Null: no tool fits.
 */
export function useTool(conversation: Conversation): Answer | null {
  const { tools, choice, turns, system, now } = conversation;
  if (choice.kind === 'none' || tools.length === 0) return null;
  const texts = visitorTexts(turns);
  const found = choice.kind === 'named' ? null : wishedTool(describeTools(conversation), turns, now);
  const sources: Sources = { texts, wish: found?.wish ?? texts.at(-1) ?? '', system, now };
  if (choice.kind !== 'auto') {
    const named = choice.kind === 'named' ? tools.find((tool) => tool.name === choice.name) : (found?.tool ?? tools[0]);
    if (named === undefined) return null;
    return { text: '', calls: [{ name: named.name, input: fillEmpty(named, fillInputs(named, sources).input) }] };
  }
  if (found === null) return null;
  const { input, missing } = fillInputs(found.tool, sources);
  if (missing.length > 0) return { text: `${STILL_NEEDED} ${list(missing)}.`, calls: [] };
  return { text: '', calls: [{ name: found.tool.name, input }] };
}

const WISH =
  /\b(?:please|can (?:you|i|we)|could (?:you|i|we)|may i|i['’]?d like|i would like|i want|i need|we need|let me|send|text me|call me|ring me|mail me|book|schedule|reserve|cancel|contact me|get (?:in touch|back)|talk to|speak (?:to|with))\b/i;
const QUESTION = /\b(?:what|when|where|why|which|who|how|tell me|do you|does|is there|are you)\b/i;
const ORDER = /\b(?:text|call|ring|send|mail|email|message|contact|book)\s+(?:me|us|an?)\b/i;
const REFUSED = /\b(?:never ?mind|forget it|no thanks?|not now|stop)\b/i;

const ASKING = /\?\s*$|\bneed\b|\bplease (?:give|send|tell|enter)\b/i;

type Described = { tool: Tool; meanings: ReadonlySet<string> };

/** A tool is for what the instructions say of it in a line `- name: …`, or else for what its name and description say. */
function describeTools({ tools, system }: Conversation): Described[] {
  return tools.map((tool) => {
    const line = system.split('\n').find((one) => one.startsWith(`- ${tool.name}: `));
    const said =
      line === undefined ? `${tool.name.replaceAll(/[_-]/g, ' ')} ${tool.description}` : unquote(line.slice(tool.name.length + 3));
    return { tool, meanings: meanings(said.replaceAll(/<[^>]*>/g, ' ')) };
  });
}

/** Finds the tool of the newest text, or the one whose missing inputs the newest texts give when asked, and the text that wished for it. */
function wishedTool(tools: readonly Described[], turns: readonly Turn[], now: Date): { tool: Tool; wish: string } | null {
  const given: string[] = [];
  for (let at = turns.findLastIndex((turn) => turn.role === 'user'); at >= 0; at -= 2) {
    const turn = turns[at];
    if (turn?.role !== 'user' || REFUSED.test(turn.text)) return null;
    const tool = matchTool(tools, turn.text);
    if (tool !== null) return given.every((text) => answersAny(tool, text, now)) ? { tool, wish: turn.text } : null;
    given.push(turn.text);
    const before = turns[at - 1];
    if (before?.role !== 'assistant' || !ASKING.test(before.text) || isQuestion(turn.text)) return null;
  }
  return null;
}

function isQuestion(text: string): boolean {
  return QUESTION.test(text) && !ORDER.test(text);
}

function matchTool(tools: readonly Described[], text: string): Tool | null {
  if (!WISH.test(text) || isQuestion(text)) return null;
  const wished = meanings(text);
  // A word that describes several tools counts less.
  const weightOf = (meaning: string): number => 1 / tools.filter((one) => one.meanings.has(meaning)).length;
  const ranked = tools
    .map(({ tool, meanings: described }) => ({ tool, size: described.size, hits: [...wished].filter((meaning) => described.has(meaning)) }))
    .filter(({ hits }) => hits.length > 1 || hits.some(isGrouped))
    // Between two equal matches, the tool with fewer purposes wins.
    .map(({ tool, size, hits }) => ({ tool, score: hits.reduce((sum, meaning) => sum + weightOf(meaning), 0) - size / 1000 }))
    .toSorted((one, other) => other.score - one.score);
  return ranked[0]?.tool ?? null;
}

function list(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}
