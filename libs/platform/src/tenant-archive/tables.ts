import Joi from 'joi';

/** Values of a row by column, as JSON has them. */
export type ArchivedRow = Readonly<Record<string, unknown>>;

/** Rules for columns. Values are stored as they are, so none is converted; other columns are free. */
export const rulesOf = (columns: Record<string, Joi.Schema>): Joi.ObjectSchema =>
  Joi.object(columns).unknown().prefs({ convert: false });

/** The way the rows of a table are archived. Names are those of the code, never of a request. */
export interface ArchivedTable {
  name: string;
  /** The columns of the primary key beside that of the tenant; empty if there is one row per tenant. */
  key: readonly string[];
  /** The column with the id of the tenant; by default `tenant_id`. */
  tenantColumn?: string;
  /** Columns that stay out, such as secrets. An import leaves them to their defaults. */
  without?: readonly string[];
  /** Values for columns that stay out and have no default, once per import. */
  fill?: () => Promise<Readonly<Record<string, string>>>;
  /**
   * Rules of the API for values of a row, beside those of the database. An import refuses a file with a row
   * that breaks one.
   */
  rules: Joi.ObjectSchema;
  /** The name of the account if a row has the rights of an administrator, else null. */
  administratorOf?: (row: ArchivedRow) => string | null;
  /** The rows of the tenant that are archived: a condition on `t`, the table. By default all. */
  where?: string;
}

export const tenantColumnOf = ({ tenantColumn = 'tenant_id' }: ArchivedTable): string => tenantColumn;

/** The first line of an archive. */
export interface ArchiveHead {
  format: 'canvass-tenant';
  formatVersion: 1;
  service: string;
  tenantId: string;
  /** The archived columns by table, in the order of the tables. */
  tables: Readonly<Record<string, readonly string[]>>;
}
