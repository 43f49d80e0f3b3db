import Stripe from 'stripe';

const { webhooks } = new Stripe('sk_test_nothing');

/**
 * Checks a signature as the published library whose scheme this is does, and reads the body; throws when it does not hold. Its five minutes of
 * tolerance are the ones that receivers are advised to keep.
 */
export function readSigned(body: string, signature: string | string[] | undefined, secret: string): unknown {
  return webhooks.constructEvent(body, String(signature), secret);
}
