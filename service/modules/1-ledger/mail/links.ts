import type { Cursors } from '#platform/http/cursor.ts';
import { AppError } from '#platform/refuse.ts';

/** Purposes of a link in a mail, used without a login. A token of one purpose is invalid for another. */
export type LinkPurpose = 'notifications-off' | 'newsletter-confirm' | 'newsletter-off' | 'report-off';

/** Tokens of links in mails: signed, not stored, and bound to their purpose. Rotating SESSION_SECRET revokes them all. */
export type MailLinks = {
  /** Returns a token for `subject`, which can be read by anyone who has the token: ids, no addresses. */
  seal(purpose: LinkPurpose, subject: readonly string[]): string;
  /** Returns the subject; null for a token that is malformed, forged or of another purpose. */
  open(purpose: LinkPurpose, token: string): string[] | null;
  /** Returns the address of a route with a token. */
  address(path: string, token: string): string;
};

export function createMailLinks({ cursors, baseUrl }: { cursors: Cursors; baseUrl: string }): MailLinks {
  return {
    seal: (purpose, subject) => cursors.seal({ mailLink: purpose }, subject),
    open(purpose, token) {
      try {
        return cursors.open({ mailLink: purpose }, token);
      } catch (error) {
        if (error instanceof AppError && error.code === 'invalid_cursor') return null;
        throw error;
      }
    },
    address: (path, token) => `${baseUrl}${path}?token=${token}`,
  };
}
