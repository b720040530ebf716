/** All commands of the command line. Help, completions and docs/commands.md are made from this table. */
import {alerts} from './alerts.ts';
import type {Command} from './base/command.ts';
import {complete, programs, completions} from './completions.ts';
import {cp} from './instances/cp.ts';
import {destroy, start, stop} from './instances/actions.ts';
import {doctor} from './doctor/doctor.ts';
import {exec} from './instances/exec.ts';
import {guard} from './guard/guard.ts';
import {jobs} from './instances/jobs.ts';
import {keys} from './keys.ts';
import {lease} from './leases/lease.ts';
import {logs} from './instances/logs.ts';
import {man} from './man.ts';
import {mcp} from './mcp/command.ts';
import {offers} from './offers.ts';
import {practice} from './practice/practice.ts';
import {prepay} from './instances/prepay.ts';
import {ps} from './instances/ps.ts';
import {rent} from './rent/rent.ts';
import {increases} from './instances/increases.ts';
import {ssh} from './instances/ssh.ts';
import {sweep} from './instances/sweep.ts';
import {templates} from './templates.ts';
import {learning} from './instances/learning.ts';
import {upgrade} from './upgrade/upgrade.ts';
import {usageText} from './base/help-text.ts';
import {programFlags} from './base/options.ts';
import {volumes} from './volumes.ts';
import {watch} from './watch.ts';

/** Commands in the order in which a renter needs them. */
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
	learning,
	start,
	stop,
	destroy,
	lease,
	prepay,
	increases,
	jobs,
	guard,
	alerts,
	sweep,
	keys,
	mcp,
	doctor,
	practice,
	completions,
	man,
	upgrade,
];

/** Called by shells only. */
const hidden: readonly Command[] = [complete(commands)];

export function commandNamed(name: string): Command | undefined {
	return [...commands, ...hidden].find(command => command.name === name);
}

const lines = [...commands, ...programs].map(
	({name, summary}) => `  rentty ${name.padEnd(13)}${summary}`,
);

export const usage = usageText(
	`Usage: rentty [options]
       rentty COMMAND [options]

Browse GPU offers in this terminal. With no service given, rentty opens on a practice
market of its own: real HTTP on this machine, nothing to pay.`,
	programFlags,
	`Commands, each with --help and --json:

${lines.join('\n')}

Environment: RENTTY_URL and RENTTY_API_KEY name a service and its key, RENTTY_PROFILE a
profile. Without any of them rentty opens the profile that was used last.
RENTTY_SCREEN_READER=1 does what --screen-reader does.
Where standard output is not a terminal, the offers are printed as plain text.`,
);
