import type { RouteShape } from '@partner-portal/contract/define-route.ts';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Sender } from './body-budget.ts';
import { type CallbackProof, namesProven, tokenOf } from './callback-proof.ts';
import { pathOf } from './errors.ts';
import { networkOf } from './network.ts';
import type { RawBody } from './raw-body.ts';
import type { Admit } from './receive-body.ts';
import { scanJson } from './scan-json.ts';

export type AdmitDeps = {
  /** Authorizes the routes with access `callback`; without it every call of one is refused. */
  callbackProof?: CallbackProof;
  /** Whether a token is that of an ingest address, by the id in its path; without it no large body is read there. Costs no query. */
  ingestProof?: (id: string, token: string) => boolean;
};

/** The sender of a large body is known before the rest of it is read: by the session, the token in the address or the proof of the callback. */
export function admitOf(app: FastifyInstance, deps: AdmitDeps, route: RouteShape, request: FastifyRequest): Admit {
  if (route.access.kind === 'ingest') {
    const [id = ''] = Object.values(request.params as Record<string, string>); // the one that its path has
    const { token } = request.query as { token?: unknown }; // perhaps several
    return () => (deps.ingestProof?.(id, String(token)) ? app.bodyBudget.share({ budget: 'tenant', key: `ingest ${id}` }) : null);
  }
  return (start) => {
    const sender = senderOf(deps, route, request, start);
    return sender && app.bodyBudget.share(sender);
  };
}

function senderOf(deps: AdmitDeps, { access }: RouteShape, request: FastifyRequest, start: Buffer): Sender | null {
  const { caller } = request;
  if (caller) return { budget: 'tenant', key: caller.partnerId, part: caller.userId };
  const anonymous: Sender = { budget: 'anonymous', key: networkOf(request.ip) };
  if (access.kind !== 'callback') return anonymous;
  // Proven before its body was read.
  if (access.subjectIn === 'path') return { budget: 'system', key: pathOf(request.url) };
  const token = tokenOf(request);
  if (token === undefined) return null;
  const { member } = scanJson(start, { anyText: true, member: access.subject });
  // It may be named later on: searched for once the body is there.
  if (!member) return anonymous;
  return deps.callbackProof?.(member, token) ? { budget: 'system', key: member } : null;
}

/**
 * Returns whether a large callback names, somewhere, a subject that its token proves: judging all of it costs a hundred times as much. A cut or small
 * body is judged by its first bytes.
 */
export function isWorthReading(deps: AdmitDeps, subject: string, request: FastifyRequest, { bytes, isCut }: RawBody): boolean {
  if (isCut || bytes.length <= LIMITS.unprovenBodyBytesMax) return true;
  const token = tokenOf(request);
  return token !== undefined && deps.callbackProof !== undefined && namesProven(deps.callbackProof, subject, bytes, token);
}
