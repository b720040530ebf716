/** Enforcers of leases in lines, apart from what asks them, so that screens need not load that. */
import type {Enforcer} from './enforcers.ts';

/** "watchdog  not confirmed, nothing heard from inside". */
export function confirmation({who, isConfirmed, says}: Omit<Enforcer, 'cannot'>): string {
	const standing = who === 'job' ? 'may act' : isConfirmed ? 'confirmed' : 'not confirmed';
	return `${who.padEnd(9)} ${standing}, ${says}`;
}

/** One of them in a line: "market    confirmed, heard now; it measures no idleness". */
export function enforcerText({cannot: lacks, ...one}: Enforcer): string {
	return `${confirmation(one)}; ${lacks}`;
}
