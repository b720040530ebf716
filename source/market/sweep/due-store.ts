/** Due tasks of a sweep, from one statement: in most seconds no task is due. */
import {sql, type Expression, type RawBuilder, type SqlBool} from 'kysely';
import {isChargeDue} from '../ledger/unbilled-store.ts';
import {unevenDebtors} from '../billing/debts-store.ts';
import {lateCopies, oldCopies} from '../copies/store.ts';
import type {Database} from '../database/database.ts';
import {lastRunSql} from '../database/moments.ts';
import {statement, type StatementTime} from '../database/statement.ts';
import {maybeDueLeases} from '../leases/store.ts';
import {dayNumberOf} from '../ledger/metering-rules.ts';
import {SETTLED} from '../ledger/store.ts';
import {expiredInstances, unpaidInstances} from '../lifecycle/instances-store.ts';
import {silentMachines, type Silence} from '../lifecycle/machines-store.ts';
import {dueListings} from '../machines/listings-store.ts';
import {dueMaintenance} from '../machines/maintenance-store.ts';
import {dueIncreases} from '../price-increases/store.ts';
import {JUDGED} from '../reliability/store.ts';
import {dueJobs} from '../scheduled-jobs/store.ts';
import {expiredTasks} from '../tasks/store.ts';
import {closedUntil} from './ledger.ts';
import {DAY} from '../../contract/rules/durations.ts';

type Moments<At extends StatementTime> = Readonly<
	Record<'now' | 'overdue' | 'closed' | 'today', At>
> &
	Silence<At>;

type Question = (database: Database, at: Moments<StatementTime>) => RawBuilder<SqlBool>;

function isAny(...found: ReadonlyArray<Expression<unknown>>): RawBuilder<SqlBool> {
	return sql`(${sql.join(
		found.map(rows => sql`exists ${rows}`),
		sql` or `,
	)})`;
}

/** Conditions under which the task of that name has work. */
const questions = {
	silence: (database, at) => isAny(...silentMachines(database, at)),
	increases: (database, {now}) => isAny(dueIncreases(database, now)),
	charges: isChargeDue,
	days: (_, {closed}) => sql`${lastRunSql(SETTLED)} < ${closed}`,
	debts: () => isAny(sql`(${unevenDebtors})`),
	tasks: (database, {now}) => isAny(expiredTasks(database, now)),
	'old copies': (database, {now}) => isAny(oldCopies(database, now)),
	uses: database => isAny(database.selectFrom('template_uses').select('id')),
	listings: (database, {now}) => isAny(dueListings(database, now)),
	maintenance: (database, {now}) => isAny(dueMaintenance(database, now)),
	reliability: (_, {today}) => sql`${lastRunSql(JUDGED)} < ${today}`,
	unpaid: database => isAny(unpaidInstances(database)),
	ended: (database, {now}) => isAny(expiredInstances(database, now)),
	'late copies': (database, {now}) => isAny(lateCopies(database, now)),
	leases: (database, {now}) => isAny(maybeDueLeases(database, now)),
	/** Only accounts with a webhook are notified. */
	notices: database =>
		isAny(database.selectFrom('webhooks').select('id').where('disabled_at', 'is', null)),
	jobs: (database, {now}) => isAny(dueJobs(database, now, 1)),
} satisfies Readonly<Record<string, Question>>;

export type SweepTask = keyof typeof questions;

const askAll = statement<Moments<number>, {readonly task: SweepTask}>((database, value) => {
	const at = (name: keyof Moments<number>) => sql<number>`cast(${value(name)} as double precision)`;
	const moments = {
		now: at('now'),
		overdue: at('overdue'),
		closed: at('closed'),
		today: at('today'),
		unlimitedSince: at('unlimitedSince'),
		silentSince: at('silentSince'),
		absentSince: at('absentSince'),
		lostSince: at('lostSince'),
	};
	const asked = Object.entries<Question>(questions).map(
		([task, question]) => sql`select ${sql.lit(task)} as task where ${question(database, moments)}`,
	);
	const text = sql<{readonly task: SweepTask}>`${sql.join(asked, sql` union all `)}`;
	return {compile: () => text.compile(database)};
});

export async function dueTasks(
	database: Database,
	at: Silence<number> & Readonly<Record<'now' | 'overdue', number>>,
): Promise<ReadonlySet<SweepTask>> {
	const {now} = at;
	const moments = {...at, closed: closedUntil(now), today: dayNumberOf(now) * DAY};
	return new Set((await askAll(database, moments)).map(({task}) => task));
}
