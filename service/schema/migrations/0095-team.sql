-- Method of the last login, shown beside its time.
alter table app_user add column last_auth_method text check (last_auth_method in ('password', 'password_mfa', 'saml', 'oidc'));
