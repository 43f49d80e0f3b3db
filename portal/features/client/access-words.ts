import type { DataKind, KeyOwner, Retained } from '@partner-portal/contract/vocabulary.ts';
import type { MessageKey } from '@partner-portal/messages/messages.ts';

export const DATA_WORDS: Readonly<Record<DataKind, MessageKey>> = {
  name: 'trust.data-name',
  phone_number: 'trust.data-phone-number',
  email_address: 'trust.data-email-address',
  messages: 'trust.data-messages',
  calls: 'trust.data-calls',
  appointments: 'trust.data-appointments',
  quotes: 'trust.data-quotes',
  ratings: 'trust.data-ratings',
  business_figures: 'trust.data-business-figures',
};

export const KEY_WORDS: Readonly<Record<KeyOwner, MessageKey>> = {
  own: 'trust.key-own',
  agency: 'trust.key-agency',
  platform: 'trust.key-platform',
  missing: 'trust.key-missing',
};

export const RETAINED_WORDS: Readonly<Record<Retained, MessageKey>> = {
  run_contents: 'trust.kept-run-contents',
  run_list: 'trust.kept-run-list',
  incoming_calls: 'trust.kept-incoming-calls',
  conversations: 'trust.kept-conversations',
  access_log: 'trust.kept-access-log',
  key_uses: 'trust.kept-key-uses',
  notifications: 'trust.kept-notifications',
  deleted_account: 'trust.kept-deleted-account',
};
