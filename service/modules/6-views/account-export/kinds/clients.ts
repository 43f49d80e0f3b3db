import { runStatement } from '#platform/db/statements.ts';
import { defineKind } from './kind.ts';

export const clients = defineKind({
  name: 'clients',
  about: 'The client businesses.',
  reach: 'client',
  read: (tx, scope, after, limit) =>
    runStatement<'export_clients'>(tx, {
      name: 'export_clients',
      prepare: false,
      text: `select t.id, t.name, t.status, t.external_ref, t.industry, t.contact_name, t.contact_email, t.phone, t.website, t.timezone, t.locale,
          t.business_profile::text as business_profile, t.text_countries, t.first_contacts_per_hour, t.notes, t.suspended_at, t.suspension_reason, t.created_at,
          t.updated_at
        from client t
        where t.partner_id = $1 and ($2::uuid is null or t.id = $2) and ($3::uuid is null or t.id > $3)
        order by t.id limit $4`,
      values: [scope.partnerId, scope.clientId, after, limit],
    }),
  columns: {
    id: 'value',
    name: 'value',
    status: 'value',
    externalRef: 'agency',
    industry: 'value',
    contactName: 'value',
    contactEmail: 'value',
    phone: 'value',
    website: 'value',
    timezone: 'value',
    locale: 'value',
    businessProfile: 'json',
    textCountries: 'value',
    firstContactsPerHour: 'value',
    notes: 'agency',
    suspendedAt: 'value',
    suspensionReason: 'agency',
    createdAt: 'value',
    updatedAt: 'value',
  },
});
