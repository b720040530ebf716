/** The tag in a label that shows that an agent rented an instance. */
import {shownLabel} from '../words/lease.ts';

/** A label with the tag of an agent at its end. */
export function labelWithAgentTag(label: string, agent: string): string {
	return `${label} agent:${agent}`.trim();
}

/** Name of the agent that rented an instance; undefined for one that a person rented. */
export function agentOf(label: string | null | undefined): string | undefined {
	return /(?:^| )agent:([a-z0-9.-]{1,40})$/.exec(shownLabel(label))?.[1];
}
