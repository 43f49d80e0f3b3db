// What the previews of the service share with the steps, which run in the engine.
export function withoutEmptyLink(text: string, key: string, link: string): string;
