/** All commands of the command line. Help, completions and docs/commands.md are made from this table. */
import {alerts} from './alerts.ts';
import type {Command} from './command.ts';
import {complete} from './complete.ts';
import {completions} from './completions.ts';
import {cp} from './cp.ts';
import {destroy} from './destroy.ts';
import {doctor} from './doctor.ts';
import {exec} from './exec.ts';
import {guard} from './guard.ts';
import {jobs} from './jobs.ts';
import {keys} from './keys.ts';
import {lease} from './lease.ts';
import {logs} from './logs.ts';
import {man} from './man.ts';
import {offers} from './offers.ts';
import {practice} from './practice.ts';
import {prepay} from './prepay.ts';
import {ps} from './ps.ts';
import {rent} from './rent.ts';
import {rises} from './rises.ts';
import {ssh} from './ssh.ts';
import {start, stop} from './start-stop.ts';
import {sweep} from './sweep.ts';
import {templates} from './templates.ts';
import {upgrade} from './upgrade.ts';
import {volumes} from './volumes.ts';
import {watch} from './watch.ts';

/** In the order in which they are needed. */
export const commands: readonly Command[] = [
	offers,
	watch,
	templates,
	rent,
	ps,
	ssh,
	exec,
	cp,
	volumes,
	logs,
	start,
	stop,
	destroy,
	lease,
	prepay,
	rises,
	jobs,
	guard,
	alerts,
	sweep,
	keys,
	doctor,
	practice,
	completions,
	man,
	upgrade,
];

/** Asked by shells, and by nobody else. */
const hidden: readonly Command[] = [complete(commands)];

export function commandNamed(name: string): Command | undefined {
	return [...commands, ...hidden].find(command => command.name === name);
}
