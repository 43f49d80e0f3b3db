import { queryOptions } from '@tanstack/react-query';
import { api, type Reply } from '../../app/api.ts';
import { keys } from '../../queries/keys.ts';

export type Report = Reply<'getClientReport'>;
export type Recipient = Reply<'listReportRecipients'>[number];
export type ResultValues = Reply<'getResultValues'>;
export type HoursEstimate = Reply<'listHoursEstimates'>[number];

/** The report of a month; without one that of the newest that has ended. */
export const reportQuery = (clientId: string, month: string | undefined) =>
  queryOptions({
    queryKey: keys.report.of(clientId, month),
    queryFn: ({ signal }) => api.getClientReport({ params: { id: clientId }, query: month ? { month } : {}, signal }),
    staleTime: 30_000,
  });
export const recipientsQuery = (clientId: string) =>
  queryOptions({
    queryKey: keys.report.recipients(clientId),
    queryFn: ({ signal }) => api.listReportRecipients({ params: { id: clientId }, signal }),
    staleTime: 30_000,
  });
/** The mail about a month as it would be sent. */
export const reportPreviewQuery = (clientId: string, month: string) =>
  queryOptions({
    queryKey: keys.report.preview(clientId, month),
    queryFn: ({ signal }) => api.previewReportMail({ params: { id: clientId }, query: { month }, signal }),
  });
export const hoursEstimatesQuery = queryOptions({
  queryKey: keys.report.hoursEstimates,
  queryFn: ({ signal }) => api.listHoursEstimates({ signal }),
  staleTime: 60_000,
});
/** What results are thought to be worth. */
export const resultValuesQuery = queryOptions({
  queryKey: keys.report.resultValues,
  queryFn: ({ signal }) => api.getResultValues({ signal }),
  staleTime: 60_000,
});
