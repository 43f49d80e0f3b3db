import { RUN_CONTENT_DAYS } from '@partner-portal/core/trust/retention.ts';

/** The id from which on the contents of runs are shown. */
export const SHOWN_FROM = `uuid_floor(now() - make_interval(days => ${RUN_CONTENT_DAYS}))`;

/** What a run says of its event, and of what a service responded: null once its contents are no longer shown. */
export const SUMMARY = `case when e.id >= ${SHOWN_FROM} then e.summary end as summary`;
export const ERROR_MESSAGE = `case when e.id >= ${SHOWN_FROM} then e.error_message end as error_message`;
