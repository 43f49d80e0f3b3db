import type { RequestContext } from '#platform/http/context.ts';
import { refuse } from '#platform/refuse.ts';

/** Refuses calls that a page of another origin makes: only the frame, which is a page of ours, talks for a visitor. Programs send no such header. */
export function requireOwnOrigin({ publicBaseUrl }: { publicBaseUrl: string }, context: RequestContext): void {
  const site = context.header('sec-fetch-site');
  const origin = context.header('origin');
  const isForeignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  const isForeignOrigin = origin !== undefined && origin !== new URL(publicBaseUrl).origin;
  if (isForeignSite || isForeignOrigin) refuse('scope_forbidden', { detail: 'Only the chat’s own page may call this.' });
}
