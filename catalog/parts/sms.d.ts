// What the previews of the service share with the steps, which run in the engine.
export function whyNoText(event: {
  number: string;
  config: { quietHours?: unknown; repeatAfterHours?: unknown };
  client: { timezone: string };
  facts: { now: string; lastContactAt?: string | null };
}): { reason: string; message: string } | null;
export function withoutEmptyLink(text: string, key: string, link: string): string;
