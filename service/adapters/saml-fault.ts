import type { SignatureReport } from './saml-signature.ts';

/**
 * Why a document of a provider was not accepted. `refused`: the provider sent no assertion, but a status; `clock`: it is not valid at this
 * time; `key_unknown`, `not_signed`, `algorithm`: of its signature; `encrypted`: it cannot be decrypted; `invalid`: anything else.
 */
export type SamlTaskFaultKind = 'refused' | 'clock' | 'key_unknown' | 'not_signed' | 'algorithm' | 'encrypted' | 'invalid';

/** The content of a response, accepted or not. Texts are the provider's, shortened by the caller. */
export type SamlReceived = {
  nameId: string | null;
  nameIdFormat: string | null;
  /** Each attribute with its values. */
  attributes: Record<string, string[]>;
  signatures: SignatureReport[];
  isEncrypted: boolean;
  /** By the provider's clock, as it was sent. */
  issuedAt: string | null;
  /** When the session at the provider ends, by its signed statement. */
  sessionEndsAt: Date | null;
  /** Whom a log-out at the provider has to name, as its statement does; null without a name id that can be read. */
  subject: SamlSubject | null;
};

/** A person and a session as the provider named them. */
export type SamlSubject = {
  nameId: string;
  format: string | null;
  nameQualifier: string | null;
  spNameQualifier: string | null;
  sessionIndex: string | null;
};

/** Thrown in a thread only, where it becomes a result: the class of an error does not leave a thread. */
export class SamlTaskFault extends Error {
  readonly kind: SamlTaskFaultKind;
  /** Words of the provider; the message is ours. */
  readonly providerSaid: string | null;
  constructor(kind: SamlTaskFaultKind, message: string, providerSaid: string | null = null) {
    super(message);
    this.kind = kind;
    this.providerSaid = providerSaid;
  }
}
