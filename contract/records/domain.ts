import { z } from 'zod';
import { time } from '../primitives.ts';
import { DOMAIN_PROBLEMS, DOMAIN_STATUSES } from '../vocabulary.ts';

/** A host name of an agency for its client portal. */
export const domainRecord = z
  .object({
    /** Lower case, in ASCII: names with other letters in their `xn--` form. */
    host: z.string(),
    status: z.enum(DOMAIN_STATUSES),
    /** Whether requests for the host are answered: it is verified, and the plan includes it. */
    isServed: z.boolean(),
    /** Whether the host had an address when the name servers last answered. Links in mail lead clients to a served host only then. */
    hasAddress: z.boolean(),
    /** The TXT record that proves ownership. */
    txtName: z.string(),
    txtValue: z.string(),
    /** The target of the host's CNAME record. */
    cnameTarget: z.string(),
    checkedAt: time.nullable(),
    verifiedAt: time.nullable(),
    /** The problem that the last check found; null when it found the record and an address, and before the first check. */
    problem: z.enum(DOMAIN_PROBLEMS).nullable(),
    /** Until when a verified host is answered although its record is missing; null while nothing is wrong. */
    servedUntil: time.nullable(),
  })
  .meta({ id: 'Domain' });

/** `available`: whether the plan includes a domain. A domain set before stays, and is not served without it. */
export const ownDomain = z.object({ available: z.boolean(), domain: domainRecord.nullable() });
