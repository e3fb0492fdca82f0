/**
 * The permissions of callers. The specification names `Submissions.CreateOnBehalf`; the other names follow
 * its form.
 */
export const permissions = [
  'Forms.View',
  'Forms.Create',
  'Forms.Edit',
  'Forms.Delete',
  'Submissions.Create',
  'Submissions.View',
  'Submissions.Edit',
  'Submissions.Review',
  'Submissions.Delete',
  'Submissions.Export',
  'Submissions.CreateOnBehalf',
  'Submissions.Test',
  'Submissions.Erase',
  'DataLists.View',
  'DataLists.Edit',
  'WebHooks.View',
  'WebHooks.Manage',
  'Tenant.Manage',
  'Users.Manage',
  'Audit.View',
  'Operations.View',
] as const;

export type Permission = (typeof permissions)[number];

/**
 * Permissions whose misuse cannot be undone or opens other doors. They are withheld while revoked tokens
 * cannot be recognized.
 */
export const privilegedPermissions: ReadonlySet<Permission> = new Set<Permission>([
  'Tenant.Manage',
  'Users.Manage',
  'WebHooks.Manage',
  'Submissions.Erase',
]);

/**
 * Permissions that concern one form at a time. A service account that is restricted to forms has no others,
 * because those show or change what belongs to all forms.
 */
export const formPermissions: ReadonlySet<Permission> = new Set<Permission>([
  'Forms.View',
  'Forms.Edit',
  'Forms.Delete',
  'Submissions.Create',
  'Submissions.View',
  'Submissions.Edit',
  'Submissions.Review',
  'Submissions.Delete',
  'Submissions.Export',
  'Submissions.CreateOnBehalf',
  'Submissions.Test',
]);

export const roles = [
  'Admin',
  'Editor',
  'Reviewer',
  'Viewer',
  'Exporter',
  'Respondent',
  'Integration',
] as const;

/** A named set of permissions. Tokens carry roles, so a role's permissions can change without new tokens. */
export type Role = (typeof roles)[number];

export const rolePermissions: Readonly<Record<Role, readonly Permission[]>> = {
  Admin: permissions,
  Editor: [
    'Forms.View',
    'Forms.Create',
    'Forms.Edit',
    'Forms.Delete',
    'Submissions.Create',
    'Submissions.View',
    'Submissions.Edit',
    'Submissions.Review',
    'Submissions.Delete',
    'Submissions.Export',
    'Submissions.Test',
    'DataLists.View',
    'DataLists.Edit',
    'WebHooks.View',
  ],
  /** Sets the review status and changes nothing else. */
  Reviewer: ['Forms.View', 'Submissions.Create', 'Submissions.View', 'Submissions.Review', 'DataLists.View'],
  Viewer: ['Forms.View', 'Submissions.Create', 'Submissions.View', 'DataLists.View'],
  /** Given with another role. */
  Exporter: ['Forms.View', 'Submissions.View', 'Submissions.Export'],
  /** May answer forms that are not public. */
  Respondent: ['Submissions.Create'],
  Integration: ['Submissions.CreateOnBehalf', 'Submissions.View'],
};

export function isRole(value: unknown): value is Role {
  return roles.some((role) => role === value);
}

/** All permissions of the roles. */
export function permissionsOf(granted: readonly Role[]): ReadonlySet<Permission> {
  return new Set(granted.flatMap((role) => rolePermissions[role]));
}
