import { z } from 'zod';
import { csvOf } from '../csv-of.ts';
import { defineRoute } from '../define-route.ts';
import { id, idParams, optionalText, page, pageQuery, text, time } from '../primitives.ts';
import { NAME_REVIEW_STATUSES } from '../vocabulary.ts';
import { staff, staffWrite } from './access.ts';

const nameReview = z
  .object({
    id,
    partnerId: id,
    partnerName: z.string(),
    clientId: id.nullable().describe('Null when it is the name of the agency.'),
    name: z.string(),
    resembles: z.string().describe('The protected name.'),
    status: z.enum(NAME_REVIEW_STATUSES),
    note: z.string().nullable(),
    decidedBy: id.nullable(),
    decidedAt: time.nullable(),
    createdAt: time,
    waitingMails: z.number().int().describe('Mails to addresses without an account that wait for the decision.'),
  })
  .meta({ id: 'NameReview' });

const approvedName = nameReview
  .extend({
    mailsSent: z.number().int().describe('What waited and is sent now. `waitingMails` waits for another name of the agency, too.'),
  })
  .meta({ id: 'ApprovedName' });

const filters = { status: z.enum(NAME_REVIEW_STATUSES).optional() };

const listNameReviews = defineRoute({
  method: 'GET',
  path: '/provisioning/name-reviews',
  tag: 'provisioning',
  summary: 'List names that resemble a bank’s or another protected name, newest first',
  access: staff,
  query: pageQuery.extend(filters),
  reply: { 200: page(nameReview) },
  errors: ['invalid_cursor', 'invalid_query'],
});

/** Names of agencies and clients that resemble a protected one. Mail to strangers waits until staff approve them. */
export const nameReviewRoutes = {
  listNameReviews,
  exportNameReviews: csvOf(listNameReviews),
  getNameReview: defineRoute({
    method: 'GET',
    path: '/provisioning/name-reviews/:id',
    tag: 'provisioning',
    summary: 'Get a name to look at',
    access: staff,
    params: idParams,
    reply: { 200: nameReview },
    errors: ['not_found'],
  }),
  approveNameReview: defineRoute({
    method: 'POST',
    path: '/provisioning/name-reviews/:id/approve',
    tag: 'provisioning',
    summary: 'Approve a name; the mail that waits for no other name is sent',
    access: staffWrite,
    params: idParams,
    body: z.object({ note: optionalText(2_000).optional() }),
    reply: { 200: approvedName },
    errors: ['validation_failed', 'not_found', 'invalid_state'],
    audit: 'name_review.approved',
  }),
  rejectNameReview: defineRoute({
    method: 'POST',
    path: '/provisioning/name-reviews/:id/reject',
    tag: 'provisioning',
    summary: 'Reject a name; its mail to addresses without an account stays where it is',
    access: staffWrite,
    params: idParams,
    body: z.object({ note: text(2_000) }),
    reply: { 200: nameReview },
    errors: ['validation_failed', 'not_found', 'invalid_state'],
    audit: 'name_review.rejected',
  }),
};
