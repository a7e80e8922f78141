import { journey } from '../support/journey.tsx';
import { onlyOurs } from '../support/keys.ts';
import type { Simulator } from '../support/simulator.ts';
import { stories } from '../support/stories.ts';

/** Details whose read takes several pages. */

const mine = { columns: 120, rows: 24, monitors: 0, issues: 0 } as const;
const story = stories(journey, mine);
const many = (count: number, add: (at: number) => void) => {
  for (let at = 0; at < count; at += 1) add(at);
};

story(
  'the detail of a permission lists the roles that hold it among 120',
  {
    before(service: Simulator) {
      for (const id of service.org.roles.keys()) service.org.roles.delete(id);
      many(120, (at) => service.has('roles', { name: `role ${at}`, permissions: ['monitors_write'] }));
    },
  },
  async (user) => {
    await user.opens('roles');
    await user.presses(']');
    await user.sees(/Permissions \d+/);
    await user.presses('/', 'monitors_write', 'return', 'return');
    await user.sees('Roles 120');
  },
);

story(
  'the detail of a person lists all of their 130 keys',
  {
    before(service: Simulator) {
      onlyOurs(service);
      const id = service.has('users', { name: 'Nele Storm', email: 'nele.storm@example.test' });
      many(130, (at) => service.has('application_keys', { name: `key ${at}`, owned_by: id }));
    },
  },
  async (user) => {
    await user.opens('keys');
    await user.presses(']', ']', ']', ']');
    await user.sees(/● live.*Users \[?\d/s);
    await user.presses('/', 'nele', 'return', 'return', ']');
    await user.sees('Keys 130');
    await user.sees(/> .*key 0/);
  },
);
