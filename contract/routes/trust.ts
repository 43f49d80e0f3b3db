import { csvOf } from '../csv-of.ts';
import { defineRoute } from '../define-route.ts';
import { page, pageQuery } from '../primitives.ts';
import { accessLogEntry, clientPeopleRecord, trustRecord } from '../records/trust.ts';
import { client } from './access.ts';

const tag = 'clients';

const listMyAccessLog = defineRoute({
  method: 'GET',
  path: '/clients/me/access-log',
  tag,
  summary: 'List who opened or changed the client’s data, newest first',
  access: client,
  query: pageQuery,
  reply: { 200: page(accessLogEntry) },
  errors: ['invalid_cursor', 'invalid_query', 'not_found'],
});

export const trustRoutes = {
  getMyTrust: defineRoute({
    method: 'GET',
    path: '/clients/me/trust',
    tag,
    summary: 'Get what each agent does with the client’s data, which services it uses, and how long data is kept',
    access: client,
    reply: { 200: trustRecord },
    errors: ['not_found'],
  }),
  listMyAccessLog,
  exportMyAccessLog: csvOf(listMyAccessLog),
  getMyPeople: defineRoute({
    method: 'GET',
    path: '/clients/me/people',
    tag,
    summary: 'List who has access to the client’s portal, and who is responsible at its agency',
    access: client,
    reply: { 200: clientPeopleRecord },
    errors: ['not_found'],
  }),
};
