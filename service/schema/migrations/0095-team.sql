-- How somebody came in last, shown beside when.
alter table app_user add column last_auth_method text check (last_auth_method in ('password', 'password_mfa', 'saml', 'oidc'));
