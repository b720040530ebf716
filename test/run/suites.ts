/** Tests by what they need: CI runs `npm test`, and then the rest by `npm run test:rest`. */
import {matchesGlob} from 'node:path';

/** Files that `npm test` leaves out: they want engines, servers or packages, attack, or take minutes. */
export const onlyInRest: readonly string[] = [
	'build/release',
	'hostile/**/*',
	'host/engine/*',
	'market/database/postgres/*',
	'run/ci',
	'stories/{copies,cp,host-containers,host-faults,host-silence,host-test}',
	'stories/{inspector,install,install-older,leases,package,single-file,upgrade}',
	'stories/market-{accounts,durability,failover,mixed,race,ssh}',
	'stories/networks',
];

/** Files that compare times, which no machine has twice: `npm run hostile` runs them, and no CI. */
export const measured: readonly string[] = ['hostile/growth/*'];

/** Files that change or count what a process has once (environment, clock, runs of functions): one process each. */
export const apart: readonly string[] = [
	'commands/guard/cron',
	'console/screens/instances/run/command-screen',
	'contract/harmless-growth',
	'host/base/scheduler',
	'hostile/floods-container',
	'host/ssh/server',
	'market/database/postgres/tls',
	'renter/alerts/console-alerts',
	'renter/files/own-files',
	'stories/host-containers',
];

/** Files that a broken dialect fails: who writes at the same time, what is in order, what is counted. */
export const onBothDatabases: readonly string[] = [
	'market/{service/job-runner,http/limits,database/writing,hosts/take-work}',
	'market/{api-keys/keys-store,machines/contract-ends-store,templates/store,offers/query-store}',
	'market/billing/{calls-ledger,charging}',
	'market/ledger/cover',
	'market/instances/{actions-calls-bids,actions-calls-destroy,calls}',
	'market/{lifecycle/claims,sweep/leases,sweep/ledger,renting/attach,renting/calls}',
	'market/{edges,notifications/kinds}',
	'market/{machines/calls,machines/publish,teams/calls,volumes/calls}',
];

/** Patterns of the runner for such files. */
export function patternsOf(files: readonly string[]): string[] {
	return files.map(file => `test/${file}.test.{ts,tsx}`);
}

/** Whether `npm test` leaves a file out. */
export function isInRest(file: string): boolean {
	return onlyInRest.some(pattern => matchesGlob(file, pattern));
}
