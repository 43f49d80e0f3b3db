import { type AiToolCall, type JsonObject, ModelError } from './model-call.ts';

const TOOL_CALLS_MAX = 32;

/** Collects tool calls whose input arrives as pieces of JSON text. */
export class ToolCallParts {
  readonly #parts = new Map<number, { id: string; name: string; json: string }>();

  add(index: number, piece: { id?: string | null | undefined; name?: string | null | undefined; json?: string | null | undefined }): void {
    const part = this.#parts.get(index) ?? { id: '', name: '', json: '' };
    if (piece.id) part.id = piece.id;
    if (piece.name) part.name = piece.name;
    part.json += piece.json ?? '';
    this.#parts.set(index, part);
    if (this.#parts.size > TOOL_CALLS_MAX) throw new ModelError('cut_off');
  }

  /** Returns the calls in order. Throws `cut_off` when an input is no JSON object. */
  finish(): AiToolCall[] {
    return [...this.#parts].toSorted(([a], [b]) => a - b).map(([, { id, name, json }]) => ({ id, name, input: parseInput(json) }));
  }
}

function parseInput(json: string): JsonObject {
  if (json.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject; // checked to be an object
  } catch {
    // Falls through: a model wrote what no parser reads.
  }
  throw new ModelError('cut_off');
}
