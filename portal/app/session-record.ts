import type { routes } from '@partner-portal/contract';
import type { ReplyOf } from '@partner-portal/contract/define-route.ts';

type LoginReply = ReplyOf<(typeof routes)['login']>;
/** A bearer token, its expiry and its user. */
export type Session = Extract<LoginReply, { accessToken: string }>;
