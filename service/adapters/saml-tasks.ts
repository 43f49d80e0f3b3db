import { type LogoutRequest, parseLogout, type SamlLogout } from './saml-logout.ts';
import { parseMetadata } from './saml-metadata.ts';
import { type SamlReceived, SamlTaskFault, type SamlTaskFaultKind } from './saml-fault.ts';
import type { SamlMetadata } from './saml-library.ts';
import { type SamlAnswer, verifyAnswer } from './saml-response.ts';

/** Faults are results: the thread that asked would not see the class of an error. `received` is null for metadata. */
export type SamlRead<T> =
  | { ok: true; value: T }
  | { ok: false; kind: SamlTaskFaultKind; message: string; providerSaid: string | null; received: SamlReceived | null };

// Tasks of the compute pool: nothing else parses XML of strangers, and only text that `judgeXml` accepted.

/** Reads a metadata document. */
export function readMetadata({ xml, now }: { xml: string; now: Date }): Promise<SamlRead<SamlMetadata>> {
  return settle(() => parseMetadata(xml, now), null);
}

/** Validates a posted response; what it holds is part of the result either way. */
export function verifyResponse(answer: SamlAnswer): Promise<SamlRead<SamlReceived>> {
  const received: SamlReceived = {
    nameId: null,
    nameIdFormat: null,
    attributes: {},
    signatures: [],
    isEncrypted: false,
    issuedAt: null,
    sessionEndsAt: null,
    subject: null,
  };
  return settle(() => {
    verifyAnswer(answer, received);
    return received;
  }, received);
}

/** Reads a request to log a person out, whose signature was verified. */
export function readLogout(request: LogoutRequest): Promise<SamlRead<SamlLogout>> {
  return settle(() => parseLogout(request), null);
}

async function settle<T>(work: () => T, received: SamlReceived | null): Promise<SamlRead<T>> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    if (!(error instanceof SamlTaskFault)) throw error;
    return { ok: false, kind: error.kind, message: error.message, providerSaid: error.providerSaid, received };
  }
}
