#!/usr/bin/env bash
# Dumps the rows of one schema at one moment, while its service runs (docs/restore-one-schema.md):
#   deploy/dump-schema.sh <url of a superuser> <schema> <new folder>
# To load them: psql <url> -v ON_ERROR_STOP=1 -f load.sql, in that folder.
set -euo pipefail
[ $# = 3 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
url=$1 schema=$2
mkdir "$3"
cd "$3"
tables=$(psql "$url" -Atc "select oid::regclass from pg_class
  where relnamespace = '$schema'::regnamespace and relkind = 'r' order by relname")
columns() {
  psql "$url" -Atc "select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
    where attrelid = '$1'::regclass and attnum > 0 and not attisdropped and attgenerated = ''"
}
dump="begin isolation level repeatable read;" load="begin; set local session_replication_role = replica;"
load+=$'\n'"truncate ${tables//$'\n'/, };"
for table in $tables; do
  list=$(columns "$table")
  dump+=$'\n'"\\copy (select $list from $table) to '$table'"
  load+=$'\n'"\\copy $table ($list) from '$table'"
done
printf '%s\ncommit;\n' "$load" > load.sql
printf '%s\ncommit;\n' "$dump" | psql "$url" -v ON_ERROR_STOP=1 --quiet
