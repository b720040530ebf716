import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {nextLease, proposalOf} from '../../../../source/console/screens/instances/lease-prompt.tsx';
import {makeFleetRow} from '../../../../source/renter/fleet/fleet-state.ts';
import {newObservation} from '../../../../source/renter/instance/observations.ts';
import {type Lease, endlessLease, writeLabel} from '../../../../source/renter/words/lease.ts';
import {LeaseTermsError} from '../../../../source/renter/leases/lease-terms.ts';
import {defaultSettings} from '../../../../source/renter/settings/default-settings.ts';
import {runs} from '../../../helpers/property.ts';

const NOW = 1_795_000_000_000;
const stopped = {intended_status: 'stopped', cur_state: 'stopped', actual_status: 'exited'};

function rowWith(lease: Lease, isStopped = false) {
	const kept = {ends_at: lease.endsAt, action: lease.action};
	const label = writeLabel('x', lease) ?? '';
	const instance = {id: 7, label, lease: kept, ...(isStopped && stopped)};
	const look = {now: NOW, localNow: NOW, limits: defaultSettings.limits, boots: {}};
	return makeFleetRow(instance, newObservation(7, NOW), look, undefined);
}

const leases = fc.record({
	endsAt: fc.option(fc.integer({min: NOW / 1000 - 90_000, max: NOW / 1000 + 90_000}), {
		nil: undefined,
	}),
	idleSeconds: fc.option(fc.constant(1800), {nil: undefined}),
	maxCost: fc.option(fc.constant(20), {nil: undefined}),
	action: fc.constantFrom('stop', 'destroy', 'stop-destroy'),
	isKept: fc.boolean(),
	before: fc.option(fc.constant({command: 'sync', limitSeconds: 60, graceSeconds: 60}), {
		nil: undefined,
	}),
});

test('what the prompt proposes can be sent, keeps a deadline that comes, and sets none that has passed', () => {
	fc.assert(
		fc.property(leases, fc.boolean(), fc.boolean(), fc.nat(999), (given, isLost, isStopped, ms) => {
			const lease = {...endlessLease, ...given};
			const row = {...rowWith(lease, isStopped), now: NOW + ms};
			const proposal = proposalOf(row, isLost ? lease : undefined);
			expect(proposal.text).not.toMatch(/\b0s\b/v);
			const isPast = lease.endsAt !== undefined && lease.endsAt * 1000 < row.now + 1000;
			expect(proposal.isPast).toBe(isPast);
			if (isPast && proposal.text === '') {
				expect(() => nextLease('', proposal, row.now)).toThrow(LeaseTermsError);
				expect(nextLease('none', proposal, row.now)).toBe(undefined);
				return;
			}
			const next = nextLease(proposal.text, proposal, row.now);
			expect(next?.endsAt).toBe(isPast ? undefined : lease.endsAt);
		}),
		{numRuns: runs(300)},
	);
});

test.each(['idle 30m', 'until $5', 'for 2h', 'keep'])(
	'after a deadline, %s brings it not back',
	text => {
		const row = rowWith({...endlessLease, endsAt: NOW / 1000 - 60});
		const next = nextLease(text, proposalOf(row, undefined), NOW);
		expect(next?.endsAt ?? Infinity).toBeGreaterThan(NOW / 1000);
	},
);
